// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Coroutine;
import dev.couv.stream.ByteStream;
import java.io.IOException;

/// Both ends of a TLS connection over the loopback interface, in the loop of the calling coroutine.
public record TlsPair(TlsStream client, TlsStream server) implements AutoCloseable {
  static TlsPair open() throws Exception {
    return open(options());
  }

  /// A client that trusts the authority, and a server at `localhost`.
  public static TlsOptions options() throws Exception {
    return TlsOptions.DEFAULT.withContext(TlsFiles.trusting());
  }

  static TlsPair open(TlsOptions client) throws Exception {
    return open(
        client, TlsOptions.DEFAULT.withProtocols(client.protocols().toArray(String[]::new)));
  }

  static TlsPair open(TlsOptions client, TlsOptions server) throws Exception {
    TcpPair tcp = TcpPair.open();
    return over(tcp.client(), tcp.server(), client, server);
  }

  /// Over local sockets, whose kernel takes nothing more once it has refused something, until the other end reads: TCP
  /// makes room by itself, whenever what it took has arrived.
  public static TlsPair openLocal() throws Exception {
    Pair local = LocalStream.pair();
    return over(local.first(), local.second(), options(), TlsOptions.DEFAULT);
  }

  public static TlsPair over(
      ByteStream clientEnd, ByteStream serverEnd, TlsOptions client, TlsOptions server)
      throws Exception {
    var accepted = Coroutine.spawn(() -> Tls.server(serverEnd, TlsFiles.context("server"), server));
    try {
      return new TlsPair(Tls.client(clientEnd, "localhost", client), accepted.await());
    } catch (IOException refused) {
      try {
        accepted.await().close();
      } catch (IOException hereToo) {
        refused.addSuppressed(hereToo);
      }
      throw refused;
    }
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
