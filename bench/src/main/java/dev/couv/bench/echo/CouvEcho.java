// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.echo;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.Local;
import dev.couv.net.StreamListener;
import dev.couv.net.Tcp;
import dev.couv.net.TcpStream;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// The echo server as a user of Couv writes it: a coroutine per connection. `PORT` or `PATH`, and `borrow` for the
/// buffers that the streams share, `read` for a new one for what has come, or `direct` for one of its own each. Serves until it is killed.
public final class CouvEcho {
  private static final int BUFFER_SIZE = 1 << 14;

  private CouvEcho() {}

  public static void main(String[] args) throws Exception {
    Loop.run(
        () -> {
          try (StreamListener<?> listener = listen(args[0])) {
            while (true) {
              ByteStream peer = listener.accept();
              Coroutine.spawn(
                  () -> {
                    switch (args[1]) {
                      case "borrow" -> serve(peer);
                      case "read" -> serveCopies(peer);
                      case "direct" -> serveOwn(peer);
                      default -> throw new IllegalArgumentException(args[1]);
                    }
                  });
            }
          }
        });
  }

  private static StreamListener<?> listen(String address) throws IOException {
    return address.contains("/")
        ? Local.listen(Path.of(address))
        : Tcp.listen(new InetSocketAddress("127.0.0.1", Integer.parseInt(address)));
  }

  private static void serve(ByteStream peer) {
    try (peer) {
      prepare(peer);
      while (peer.borrow(peer::write)) {}
    } catch (IOException gone) {
      // The load has ended, and its connections with it.
    }
  }

  private static void serveCopies(ByteStream peer) {
    try (peer) {
      prepare(peer);
      for (ByteBuffer bytes; (bytes = peer.read()) != null; ) {
        peer.write(bytes);
      }
    } catch (IOException gone) {
      // The load has ended, and its connections with it.
    }
  }

  private static void serveOwn(ByteStream peer) {
    try (peer) {
      prepare(peer);
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
      while (peer.read(buffer.clear()) >= 0) {
        peer.write(buffer.flip());
      }
    } catch (IOException gone) {
      // The load has ended, and its connections with it.
    }
  }

  private static void prepare(ByteStream peer) throws IOException {
    if (peer instanceof TcpStream tcp) {
      tcp.noDelay(true);
    }
  }
}
