// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.error.UvException;
import dev.couv.memory.MemoryWorld;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.stream.ByteStream;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// The same programs, in a world that is not the host's.
final class SecondWorldTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final TestClock clock = new TestClock();

  private void run(Action program) throws Exception {
    Loop.run(clock.options().withWorld(MemoryWorld.alone(1)), program);
  }

  /// Two ends that are connected, for a body that has both.
  private interface Ends {
    void use(TcpStream client, TcpStream server) throws Exception;
  }

  private void runConnected(Ends body) throws Exception {
    run(
        () -> {
          try (TcpListener listener = Tcp.listen(ANY);
              TcpStream client = Tcp.connect(listener.local());
              TcpStream server = listener.accept()) {
            body.use(client, server);
          }
        });
  }

  /// A program as a user writes it: it does not know where it runs.
  private static List<String> echo() throws Exception {
    List<String> answers = new ArrayList<>();
    try (TcpListener listener = Tcp.listen(ANY)) {
      Coroutine<?> server =
          Coroutine.spawn(() -> listener.serve(peer -> ByteStream.copy(peer, peer)));
      for (int i = 0; i < 3; i++) {
        try (TcpStream client = Tcp.connect("127.0.0.1", listener.local().getPort())) {
          client.write("one " + i + "\ntwo " + i + "\n");
          client.shutdown();
          client.lines().forEach(answers::add);
        }
      }
      server.cancel();
    }
    return answers;
  }

  @Test
  void theEchoProgramDoesTheSameInBothWorlds() throws Exception {
    List<String> here = new ArrayList<>();

    run(() -> here.addAll(echo()));

    assertEquals(List.of("one 0", "two 0", "one 1", "two 1", "one 2", "two 2"), here);
    assertEquals(here, Loop.run(SecondWorldTest::echo));
  }

  @Test
  void noSocketOfTheSystemIsMade() throws Exception {
    int code = UvErrors.code("EMFILE");
    try (var _ = NativeCalls.replace("uv_tcp_init", NativeCalls.failing("uv_tcp_init", code))) {
      run(SecondWorldTest::echo);

      assertThrows(UvException.class, () -> Loop.run(SecondWorldTest::echo), "it was looked at");
    }
  }

  @Test
  void nobodyListensAndTheConnectionIsRefused() throws Exception {
    run(
        () -> {
          InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

          ConnectException refused =
              assertThrows(ConnectException.class, () -> Tcp.connect(nobody));

          assertEquals("ECONNREFUSED", ((UvException) refused.getCause()).code());
        });
  }

  @Test
  void aPortIsListenedAtOnce() throws Exception {
    run(
        () -> {
          try (TcpListener listener = Tcp.listen(ANY)) {
            assertThrows(BindException.class, () -> Tcp.listen(listener.local()));
          }
        });
  }

  @Test
  void bothEndsKnowEachOther() throws Exception {
    runConnected(
        (client, server) -> {
          assertEquals(client.local(), server.remote());
          assertEquals(server.local(), client.remote());
          assertTrue(client.isHere());
        });
  }

  @Test
  void theEndOfTheStreamComesAfterAllBytes() throws Exception {
    runConnected(
        (client, server) -> {
          client.write("last words");
          client.close();

          assertArrayEquals("last words".getBytes(UTF_8), server.readAll(100));
          assertNull(server.read());
        });
  }

  @Test
  void aCancelledReadLosesNothing() throws Exception {
    runConnected(
        (client, server) -> {
          assertThrows(
              TimeoutException.class, () -> Time.timeout(Duration.ofHours(1), () -> server.read()));
          Coroutine<?> reader =
              Coroutine.spawn(() -> assertThrows(Resumed.class, () -> server.read()));
          Coroutine.pause();
          client.write("kept");
          reader.resume(); // it was ready, and had not run

          ByteBuffer kept = ByteBuffer.allocate(4);
          server.readFully(kept);
          assertEquals("kept", new String(kept.array(), UTF_8));
          assertEquals(Duration.ofHours(1), clock.elapsed());
        });
  }

  @Test
  void whatIsPutBackIsReadFirst() throws Exception {
    runConnected(
        (client, server) -> {
          client.write("world");
          server.unread(ByteBuffer.wrap("hello ".getBytes(UTF_8)));
          client.shutdown();

          assertArrayEquals("hello world".getBytes(UTF_8), server.readAll(100));
        });
  }

  @Test
  void closingWakesWhoWaits() throws Exception {
    run(
        () -> {
          TcpListener listener = Tcp.listen(ANY);
          TcpStream client = Tcp.connect(listener.local());
          TcpStream server = listener.accept();
          Coroutine<?> reader = Coroutine.spawn(() -> server.read());
          Coroutine<?> accepter = Coroutine.spawn(listener::accept);
          Coroutine.pause();

          server.close();
          listener.close();

          assertThrows(AsynchronousCloseException.class, reader::await);
          assertThrows(AsynchronousCloseException.class, accepter::await);
          assertNull(client.read());
          client.close();
        });
  }

  @Test
  void aWriterWaitsForTheReader() throws Exception {
    runConnected(
        (client, server) -> {
          byte[] much = new byte[1 << 20];
          much[much.length - 1] = 7;
          Coroutine<?> writer =
              Coroutine.spawn(
                  () -> {
                    client.write(much);
                    client.shutdown();
                  });
          Time.sleep(Duration.ofMinutes(1));
          assertEquals(Status.SUSPENDED, writer.status());
          assertTrue(client.pending() < much.length, client.pending() + " pending");
          assertEquals(0, client.tryWrite(ByteBuffer.allocate(1)));

          assertArrayEquals(much, server.readAll(much.length));
          writer.await();
        });
  }

  @Test
  void whoLeavesAWriteLeavesOnePiece() throws Exception {
    runConnected(
        (client, server) -> {
          ByteBuffer much = ByteBuffer.allocate(1 << 20);
          assertThrows(
              TimeoutException.class,
              () -> Time.timeout(Duration.ofSeconds(1), () -> client.write(much)));
          int written = much.position();
          Coroutine<?> next = Coroutine.spawn(() -> client.write(new byte[] {7}));
          Coroutine.pause();
          assertEquals(Status.SUSPENDED, next.status());

          ByteBuffer into = ByteBuffer.allocate(written + 1);
          server.readFully(into);
          assertEquals(7, into.get(written));
          next.await();
        });
  }
}
