// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import io.nats.client.Options;
import io.nats.client.impl.SocketDataPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Objects;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// The socket of a connection, as the client has it, with one thing more: when the client's reader
/// comes for more bytes it has dealt out the messages in those it had, and the [Intake] is told.
/// And a server that speaks TLS is asked who it is: the client alone takes any name that a trusted
/// certificate has.
///
/// The client makes it by its name, one for each attempt to connect.
public final class NatsPort extends SocketDataPort {
  /// A listener of the options that is this, too, is told on the thread that reads.
  interface Reader {
    /// What was read is dealt out.
    void dealtOut();
  }

  private @Nullable Reader reader;
  private @Nullable Options options;

  @Override
  public void afterConstruct(Options given) {
    super.afterConstruct(given);
    options = given;
    if (given.getConnectionListener() instanceof Reader known) {
      reader = known;
    }
  }

  @Override
  public void upgradeToSecure() throws IOException {
    Options plan = Objects.requireNonNull(options, "the client tells them first");
    SSLSocket secure =
        (SSLSocket)
            plan.getSslContext()
                .getSocketFactory()
                .createSocket(socket, name(plan, host, port), port, true);
    secure.setUseClientMode(true);
    SSLParameters asked = secure.getSSLParameters();
    asked.setEndpointIdentificationAlgorithm("HTTPS");
    secure.setSSLParameters(asked);
    int before = secure.getSoTimeout();
    secure.setSoTimeout(Math.clamp(plan.getConnectionTimeout().toMillis(), 1, Integer.MAX_VALUE));
    secure.startHandshake();
    secure.setSoTimeout(before);
    socket = secure;
    in = secure.getInputStream();
    out = secure.getOutputStream();
    isSecure = true;
  }

  /// Whose certificate it must be. The client has looked names up already, so it is found by its address which of the program's
  /// servers this is. Servers tell of each other by addresses alone: such a one has to be who the program has asked for first.
  private static String name(Options plan, String host, int port) {
    String first = host;
    for (URI server : plan.getServers()) {
      String known = server.getHost();
      if (known == null) {
        continue;
      }
      if (host.equals(known) || isAt(known, server.getPort(), host, port)) {
        return known;
      }
      if (first.equals(host)) {
        first = known;
      }
    }
    return first;
  }

  private static boolean isAt(String name, int itsPort, String address, int port) {
    if ((itsPort < 0 ? Options.DEFAULT_PORT : itsPort) != port) {
      return false;
    }
    try {
      return Arrays.stream(InetAddress.getAllByName(name))
          .anyMatch(each -> each.getHostAddress().equals(address));
    } catch (UnknownHostException nowhere) {
      return false;
    }
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (reader != null) {
      reader.dealtOut();
    }
    return super.read(into, offset, length);
  }
}
