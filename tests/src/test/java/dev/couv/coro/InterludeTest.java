// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.testing.Tries;
import dev.couv.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Coroutines that run inside libuv's turn, between two of its events, because many sockets have
/// something at once.
class InterludeTest {
  private static final int CROWD = 300;

  private final List<Object> log = new ArrayList<>();

  /// Reads one byte of its stream, then does something.
  private interface Reader {
    void hasRead(int number, TcpStream from) throws Exception;
  }

  @Test
  void manyReadersBeginBeforeAllOfThemHaveTheirBytes() throws Exception {
    List<Integer> readyWhenRun = new ArrayList<>();

    withCrowd((number, from) -> readyWhenRun.add(Loop.current().stats().ready()));

    assertEquals(CROWD, readyWhenRun.size());
    assertTrue(readyWhenRun.getFirst() < 64, "ready when the first ran: " + readyWhenRun);
  }

  @Test
  void theyRunInTheOrderOfTheirEvents() throws Exception {
    withCrowd(
        (number, from) -> {
          log.add(number);
          Coroutine.pause();
          log.add(number);
        });

    List<Object> firsts = log.stream().distinct().toList();
    assertEquals(CROWD, firsts.size());
    List<Object> seconds = new ArrayList<>(log);
    firsts.forEach(seconds::remove);
    assertEquals(firsts, seconds);
  }

  @Test
  void theLoopsTimeIsNotThatOfTheTurnBefore() throws Exception {
    Tries.oneOf(
        20,
        () -> {
          List<Duration> behind = new ArrayList<>();
          withCrowd((number, from) -> behind.add(Duration.between(Time.now(), Time.update())));

          assertTrue(behind.getFirst().toMillis() < 25, "behind by " + behind.getFirst());
        });
  }

  @Test
  void whatOneThrowsEndsTheRunAsElsewhere() {
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                withCrowd(
                    (number, from) -> {
                      throw new IllegalStateException("reader failed");
                    }));

    assertEquals("reader failed", thrown.getMessage());
  }

  @Test
  void streamsWithEventsStillToComeCanBeClosedInOne() throws Exception {
    List<TcpStream> all = new ArrayList<>();
    List<Integer> closed = new ArrayList<>();
    withCrowd(
        all,
        (number, from) -> {
          log.add(number);
          all.forEach(TcpStream::close);
        },
        closed);

    // Everybody who already had a byte keeps it, whoever had none is told of the closing.
    assertTrue(log.size() >= 1 && log.size() <= 64, log.size() + " had their byte");
    assertEquals(CROWD, log.size() + closed.size());
  }

  @Test
  void aStepRunsNobodyTwice() throws Exception {
    try (Loop loop = Loop.open()) {
      int[] runs = new int[CROWD];
      loop.spawn(
          () -> {
            withStreams(
                new ArrayList<>(),
                (number, from) -> {
                  for (int turn = 0; turn < 3; turn++) {
                    runs[number]++;
                    Coroutine.pause();
                  }
                },
                new ArrayList<>());
            return null;
          });
      int[] before = runs.clone();
      while (loop.run(Mode.STEP)) {
        for (int i = 0; i < CROWD; i++) {
          assertTrue(runs[i] - before[i] <= 1, "reader " + i + " ran twice in a step");
        }
        before = runs.clone();
      }
      assertEquals(3 * CROWD, IntStream.of(runs).sum());
    }
  }

  @Test
  void aTimerIsServedAlthoughTheCrowdNeverStops() throws Exception {
    boolean[] over = {false};
    Loop.run(
        () -> {
          Coroutine.spawn(
              () -> {
                Time.sleep(Duration.ofMillis(50));
                over[0] = true;
              });
          withStreams(
              new ArrayList<>(),
              (number, from) -> {
                ByteBuffer one = ByteBuffer.allocateDirect(1);
                while (!over[0]) {
                  from.write(one.clear());
                  from.read(one.clear());
                }
              },
              new ArrayList<>(),
              true);
        });

    assertTrue(over[0]);
  }

  private static void withCrowd(Reader reader) throws Exception {
    withCrowd(new ArrayList<>(), reader, new ArrayList<>());
  }

  private static void withCrowd(List<TcpStream> streams, Reader reader, List<Integer> closed)
      throws Exception {
    Loop.run(() -> withStreams(streams, reader, closed));
  }

  private static void withStreams(List<TcpStream> streams, Reader reader, List<Integer> closed)
      throws Exception {
    withStreams(streams, reader, closed, false);
  }

  /// Lets a crowd of coroutines wait for a byte each, sends all of them at once, and waits for the end.
  private static void withStreams(
      List<TcpStream> streams, Reader reader, List<Integer> closed, boolean peersEcho)
      throws Exception {
    List<TcpStream> peers = new ArrayList<>();
    try (TcpListener listener =
        Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      for (int i = 0; i < CROWD; i++) {
        peers.add(Tcp.connect(listener.local()));
        streams.add(listener.accept());
      }
      List<Coroutine<?>> readers = new ArrayList<>();
      for (int i = 0; i < CROWD; i++) {
        int number = i;
        TcpStream from = streams.get(i);
        readers.add(
            Coroutine.spawn(
                () -> {
                  try {
                    from.read(ByteBuffer.allocate(1));
                  } catch (ClosedChannelException e) {
                    closed.add(number);
                    return;
                  }
                  reader.hasRead(number, from);
                  from.close();
                }));
      }
      Coroutine.pause(); // all of them wait
      for (TcpStream peer : peers) {
        peer.tryWrite(ByteBuffer.wrap(new byte[1])); // without an await: nobody runs meanwhile
      }
      long longTurn = System.nanoTime() + 30_000_000;
      while (System.nanoTime() - longTurn < 0) {
        Thread.onSpinWait(); // the loop's time stands still, and is out of date by the next event
      }
      if (peersEcho) {
        for (TcpStream peer : peers) {
          readers.add(Coroutine.spawn(() -> echo(peer)));
        }
      }
      for (Coroutine<?> each : readers) {
        each.await();
      }
    } finally {
      streams.forEach(TcpStream::close);
      peers.forEach(TcpStream::close);
    }
  }

  private static void echo(TcpStream peer) throws Exception {
    ByteBuffer one = ByteBuffer.allocateDirect(1);
    while (peer.read(one.clear()) > 0) {
      peer.write(one.flip());
    }
  }
}
