// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.echo;

import dev.couv.coro.Loop;
import dev.couv.net.Tls;
import dev.couv.net.TlsContext;
import dev.couv.net.TlsListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/// An echo server with TLS as a user of Couv writes it: `PORT CERTIFICATE KEY`. Serves until it is killed.
public final class CouvTls {
  private CouvTls() {}

  public static void main(String[] args) throws Exception {
    InetSocketAddress here = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]));
    Loop.run(
        () -> {
          SSLContext context =
              TlsContext.create().identity(Path.of(args[1]), Path.of(args[2])).build();
          try (TlsListener listener = Tls.listen(here, context)) {
            listener.serve(
                peer -> {
                  try {
                    for (ByteBuffer bytes; (bytes = peer.read()) != null; ) {
                      peer.write(bytes);
                    }
                  } catch (IOException gone) {
                    // The load has ended, and its connections with it.
                  }
                });
          }
        });
  }
}
