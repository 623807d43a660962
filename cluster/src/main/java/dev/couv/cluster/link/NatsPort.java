// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import io.nats.client.Options;
import io.nats.client.impl.SocketDataPort;
import java.io.IOException;
import java.net.URI;
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
                .createSocket(socket, name(plan, host), port, true);
    secure.setUseClientMode(true);
    SSLParameters asked = secure.getSSLParameters();
    asked.setEndpointIdentificationAlgorithm("HTTPS");
    secure.setSSLParameters(asked);
    int before = secure.getSoTimeout();
    secure.setSoTimeout(Math.toIntExact(plan.getConnectionTimeout().toMillis()));
    secure.startHandshake();
    secure.setSoTimeout(before);
    socket = secure;
    in = secure.getInputStream();
    out = secure.getOutputStream();
    isSecure = true;
  }

  /// Whose certificate it must be. Servers tell of each other by addresses: such a one has to be
  /// who the program has asked for.
  private static String name(Options plan, String host) {
    String first = host;
    for (URI server : plan.getServers()) {
      String known = server.getHost();
      if (host.equals(known)) {
        return host;
      }
      if (first.equals(host) && known != null) {
        first = known;
      }
    }
    return first;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (reader != null) {
      reader.dealtOut();
    }
    return super.read(into, offset, length);
  }
}
