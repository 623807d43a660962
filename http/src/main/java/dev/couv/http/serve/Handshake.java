// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.net.Tls;
import dev.couv.net.TlsOptions;
import dev.couv.net.TlsStream;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// A connection before TLS is spoken over it: nothing was asked yet, so a server that ends does not wait for it.
public final class Handshake implements ServerConnection {
  private final ByteStream connection;

  private Handshake(ByteStream connection) {
    this.connection = connection;
  }

  /// Speaks TLS over the connection from then on; null if the server has ended before that.
  public static @Nullable TlsStream shake(
      ByteStream connection, SSLContext context, TlsOptions how, Service service)
      throws IOException {
    Handshake shaking = new Handshake(connection);
    service.begin(shaking);
    try {
      return Tls.server(connection, context, how);
    } catch (IOException failed) {
      if (service.isDraining()) {
        return null;
      }
      throw failed;
    } finally {
      service.end(shaking);
    }
  }

  @Override
  public void drain() {
    connection.close();
  }

  /// It has a time of its own.
  @Override
  public void look(long nanos) {}
}
