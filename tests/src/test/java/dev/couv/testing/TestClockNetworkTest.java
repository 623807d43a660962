// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.stream.ByteStream;
import dev.couv.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Virtual time beside real sockets.
final class TestClockNetworkTest {
  private static final Duration HOUR = Duration.ofHours(1);

  /// So patient that a busy machine cannot make an answer come too late.
  private final TestClock clock = TestClock.afterQuiet(Duration.ofSeconds(60));

  @Test
  void echoUnderATimeoutIsNotCutOff() throws Exception {
    clock.run(
        () -> {
          try (TcpListener listener = listen()) {
            Coroutine.spawn(
                () -> {
                  try (TcpStream served = listener.accept()) {
                    ByteStream.copy(served, served);
                  }
                });
            Time.timeout(
                Duration.ofMillis(1),
                () -> {
                  try (TcpStream client = Tcp.connect(listener.local())) {
                    for (int i = 0; i < 200; i++) {
                      ByteBuffer answer = ByteBuffer.allocate(4);
                      client.write(ByteBuffer.allocate(4).putInt(0, i));
                      client.readFully(answer);
                      assertEquals(i, answer.getInt(0));
                    }
                  }
                });
          }
        });

    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void answerOfAPeerThatThinksForAMomentIsNotCutOff() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread peer = Thread.ofPlatform().start(() -> answerAfterAMoment(server));
      clock.run(
          () -> {
            InetSocketAddress address =
                new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            try (TcpStream client = Tcp.connect(address)) {
              ask(client); // everything is loaded by now
              Time.timeout(Duration.ofMillis(1), () -> ask(client));
            }
          });
      peer.join();
    }

    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void requestInFlightHoldsTheTime() throws Exception {
    List<String> order = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> reader = new CompletableFuture<>();
      Thread.ofPlatform().start(() -> drain(server, reader));
      clock.run(
          () -> {
            Coroutine.spawn(
                () -> {
                  Time.sleep(HOUR);
                  order.add("slept");
                });
            InetSocketAddress address =
                new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            try (TcpStream client = Tcp.connect(address)) {
              client.write(ByteBuffer.allocateDirect(1 << 25));
            }
            order.add("written at " + clock.elapsed());
          });
      reader.get();
    }

    assertEquals(List.of("written at PT0S", "slept"), order);
  }

  @Test
  void serverThatWaitsForClientsDoesNotStopTheTime() throws Exception {
    TestClock quick = new TestClock();
    quick.run(
        () -> {
          try (TcpListener listener = listen()) {
            Coroutine<?> server = Coroutine.spawn(() -> listener.accept());
            Time.sleep(HOUR);
            server.cancel();
          }
        });

    assertEquals(HOUR, quick.elapsed());
  }

  @Test
  void readThatGetsNothingEndsInItsTimeout() throws Exception {
    TestClock quick = new TestClock();
    quick.run(
        () -> {
          try (TcpListener listener = listen();
              TcpStream client = Tcp.connect(listener.local());
              TcpStream served = listener.accept()) {
            assertThrows(TimeoutException.class, () -> Time.timeout(HOUR, () -> client.read()));

            // It is still usable.
            served.write(ByteBuffer.allocate(1));
            assertEquals(1, client.read(ByteBuffer.allocate(8)));
          }
        });

    assertEquals(HOUR, quick.elapsed());
  }

  private static TcpListener listen() throws Exception {
    return Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static void ask(TcpStream client) throws IOException {
    client.write(ByteBuffer.allocate(1));
    assertEquals(1, client.read(ByteBuffer.allocate(1)));
  }

  private static void answerAfterAMoment(ServerSocket server) {
    try (Socket peer = server.accept()) {
      while (peer.getInputStream().read() >= 0) {
        long end = System.nanoTime() + 20_000_000;
        while (System.nanoTime() - end < 0) {
          Thread.onSpinWait();
        }
        peer.getOutputStream().write(1);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void drain(ServerSocket server, CompletableFuture<Void> done) {
    try (Socket peer = server.accept()) {
      peer.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
      done.complete(null);
    } catch (Exception e) {
      done.completeExceptionally(e);
    }
  }
}
