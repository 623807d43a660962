// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.pool.LoopPool;
import dev.couv.pool.PoolServer;
import dev.couv.pool.Spread;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A server in a process with few descriptors: sends every peer a byte and waits for its end. Prints
/// its port, and what accept throws.
///
/// With the argument `eat` it first takes all descriptors that are left, and gives them back when
/// it is told to by a line of input. With `pool` it is two servers on the loops of a pool, one for each
/// spread, and tells both ports.
final class DescriptorsProgram {
  private DescriptorsProgram() {}

  static void main(String[] arguments) throws Exception {
    if (arguments.length > 0 && arguments[0].equals("pool")) {
      servePool();
      return;
    }
    Loop.run(
        () -> {
          TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
          warmUp(listener);
          Coroutine.spawn(() -> serve(listener));
          System.out.println("port " + listener.local().getPort());
          if (arguments.length > 0) {
            Thread.ofPlatform().start(DescriptorsProgram::eat);
          }
        });
  }

  private static void servePool() throws Exception {
    // Logged when descriptors run out; what that needs cannot be loaded then.
    System.getLogger("dev.couv").log(Level.WARNING, "as an example", exhausted());
    Loop.run(() -> warmUp(Tcp.listen(TcpPair.address("127.0.0.1", 0))));
    try (LoopPool pool = LoopPool.open(2)) {
      for (Spread spread : Spread.values()) {
        PoolServer server =
            pool.serve(
                TcpPair.address("127.0.0.1", 0),
                ListenOptions.DEFAULT,
                spread,
                DescriptorsProgram::greet);
        for (int i = 0; i < 20; i++) { // enough for both loops
          try (Socket peer = new Socket("127.0.0.1", server.local().getPort())) {
            peer.getInputStream().read();
          }
        }
        System.out.println("port " + server.local().getPort());
      }
      System.in.read(); // until it is ended
    }
  }

  private static UvException exhausted() {
    return new UvException("EMFILE", 24, "too many open files", "accept", "an example");
  }

  /// Loads every class that is needed later, when no file can be opened.
  private static void warmUp(TcpListener listener) throws Exception {
    Coroutine<?> greeted =
        Coroutine.spawn(
            () -> {
              try (TcpStream stream = Tcp.connect(listener.local())) {
                stream.readFully(ByteBuffer.allocate(1));
              }
            });
    greet(listener.accept());
    greeted.await();
    Time.sleep(Duration.ofMillis(1));
    try (var _ = NativeCalls.replace("dup", NativeCalls.failing("dup", UvErrors.UV_EMFILE))) {
      ListenHandleTest.exhaust();
    }
  }

  private static void serve(TcpListener listener) throws Exception {
    while (true) {
      try {
        TcpStream peer = listener.accept();
        Coroutine.spawn(() -> greet(peer));
      } catch (UvException failure) {
        System.out.println(failure.code() + " " + failure.call());
      }
    }
  }

  private static void greet(TcpStream peer) {
    try (peer) {
      peer.write(ByteBuffer.wrap(new byte[] {1}));
      peer.read(ByteBuffer.allocate(1));
    } catch (IOException gone) {
      return;
    }
  }

  private static void eat() {
    List<FileInputStream> eaten = new ArrayList<>();
    try {
      while (true) {
        eaten.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException full) {
      System.out.println("eaten");
    }
    try {
      System.in.read();
      for (FileInputStream file : eaten) {
        file.close();
      }
      System.out.println("freed");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
