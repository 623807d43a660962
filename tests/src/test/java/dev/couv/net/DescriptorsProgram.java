// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A server in a process with few descriptors: sends every peer a byte and waits for its end. Prints
/// its port, and what accept throws.
///
/// With the argument `eat` it first takes all descriptors that are left, and gives them back when
/// it is told to by a line of input.
final class DescriptorsProgram {
  private DescriptorsProgram() {}

  static void main(String[] arguments) throws Exception {
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
