// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Who runs when, and that nobody is kept from it.
class FairnessTest {
  private final List<Object> log = new ArrayList<>();

  // ---- order

  @Test
  @Behaviour("TA2")
  void readyCoroutinesRunFirstComeFirstServed() throws Exception {
    Loop.run(
        () -> {
          for (int i = 0; i < 5; i++) {
            int number = i;
            Coroutine.spawn(
                () -> {
                  log.add(number);
                  Coroutine.pause();
                  log.add(10 + number);
                });
          }
        });

    assertEquals(List.of(0, 1, 2, 3, 4, 10, 11, 12, 13, 14), log);
  }

  /// It may compute for long between two pauses.
  @InLoop
  @Test
  void whoPausesLetsInWhatComesFromOutside() {
    for (int i = 0; i < 300; i++) {
      computeAndPause(); // until the loop knows how long it takes
    }
    AtomicBoolean told = new AtomicBoolean();
    Loop loop = Loop.current();
    Thread other = Thread.ofPlatform().start(() -> loop.post(() -> told.set(true)));
    while (other.isAlive()) {
      Thread.onSpinWait();
    }

    for (int pauses = 0; !told.get(); pauses++) {
      assertTrue(pauses < 3, "the loop does not look at what has come");
      computeAndPause();
    }
  }

  private static void computeAndPause() {
    for (long end = System.nanoTime() + 2_000_000; System.nanoTime() - end < 0; ) {
      Thread.onSpinWait();
    }
    Coroutine.pause();
  }

  @Test
  void sleepersWakeInTheOrderOfTheirDeadlinesAndThenOfTheirCalls() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          int[] seconds = {3, 1, 2, 1, 3, 2};
          for (int i = 0; i < seconds.length; i++) {
            int number = i;
            Coroutine.spawn(
                () -> {
                  Time.sleep(Duration.ofSeconds(seconds[number]));
                  log.add(number);
                });
          }
        });

    assertEquals(List.of(1, 3, 2, 5, 0, 4), log);
  }

  @Test
  void theOrderDrawnFromASeedIsTheSameEachTime() throws Exception {
    List<Integer> first = shuffled(42);

    assertEquals(first, shuffled(42));
    assertNotEquals(first, shuffled(43));
    assertNotEquals(first, first.stream().sorted().toList());
    assertEquals(300, first.size());
  }

  private static List<Integer> shuffled(long seed) throws Exception {
    List<Integer> order = new ArrayList<>();
    Loop.run(
        LoopOptions.DEFAULT.withShuffle(seed),
        () -> {
          for (int i = 0; i < 100; i++) {
            int number = i;
            Coroutine.spawn(
                () -> {
                  for (int turn = 0; turn < 3; turn++) {
                    order.add(number);
                    Coroutine.pause();
                  }
                });
          }
        });
    return order;
  }

  /// Whoever was ready when it failed may still claim it, however late its turn is drawn.
  @Test
  void shufflingDoesNotTurnAClaimedFailureIntoOneOfNobody() throws Exception {
    for (long seed = 0; seed < 10; seed++) {
      Loop.run(
          LoopOptions.DEFAULT.withShuffle(seed * 7919 + 13),
          () -> {
            Coroutine<?> failing =
                Coroutine.spawn(
                    () -> {
                      throw new IOException("claimed");
                    });
            Coroutine.spawn(() -> assertThrows(IOException.class, failing::await));
            for (int i = 0; i < 1000; i++) {
              Coroutine.spawn(
                  () -> {
                    for (int turn = 0; turn < 3; turn++) {
                      Coroutine.pause();
                    }
                  });
            }
          });
    }
  }

  @Test
  void aResumeRunsAtOnceAlsoWhenShuffling() throws Exception {
    Loop.run(
        LoopOptions.DEFAULT.withShuffle(7),
        () -> {
          List<Coroutine<?>> others = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            int number = i;
            others.add(Coroutine.spawn(() -> log.add(number)));
          }
          for (Coroutine<?> other : others) {
            other.resume();
          }

          assertEquals(20, log.size());
          assertEquals(log.stream().map(Integer.class::cast).sorted().toList(), log);
        });
  }

  // ---- nobody starves

  /// Each of these awaits is complete when it begins.
  @InLoop
  @Test
  void oneWhoseAwaitsAreAlwaysReadyLetsTheOthersRun() throws Exception {
    Coroutine<String> done = Coroutine.spawn(() -> "done");
    done.await();
    AtomicBoolean stop = new AtomicBoolean();
    Coroutine<Integer> greedy =
        Coroutine.spawn(
            () -> {
              int awaits = 0;
              while (!stop.get()) {
                done.await();
                awaits++;
              }
              return awaits;
            });
    for (int i = 0; i < 10; i++) {
      Coroutine.pause();
    }
    Time.sleep(Duration.ofMillis(1));
    stop.set(true);

    assertTrue(greedy.await() >= 64);
  }

  @Test
  void timersPostsAndSocketsAreServedWhileTwoPingPong() throws Exception {
    Loop.run(
        () -> {
          Loop loop = Loop.current();
          AtomicBoolean stop = new AtomicBoolean();
          Action spin =
              () -> {
                while (!stop.get()) {
                  Coroutine.pause();
                }
              };
          Coroutine.spawn(spin);
          Coroutine.spawn(spin);

          Time.sleep(Duration.ofMillis(1));
          log.add("timer");
          Loop.offload(() -> loop.submit(() -> log.add("post")).get());
          try (TcpListener listener =
                  Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
              TcpStream client = Tcp.connect(listener.local());
              TcpStream server = listener.accept()) {
            client.write(ByteBuffer.wrap(new byte[] {1}));
            assertEquals(1, server.read(ByteBuffer.allocate(1)));
            log.add("socket");
          }
          stop.set(true);
        });

    assertEquals(List.of("timer", "post", "socket"), log);
  }

  @InLoop
  @Test
  void postsThatKeepPostingDoNotStarveTimers() throws Exception {
    Loop loop = Loop.current();
    AtomicBoolean stop = new AtomicBoolean();
    Runnable again =
        new Runnable() {
          @Override
          public void run() {
            if (!stop.get()) {
              loop.post(this);
            }
          }
        };
    loop.post(again);

    Time.sleep(Duration.ofMillis(1));
    stop.set(true);
  }

  @InLoop
  @Test
  void timersThatAreAlwaysDueDoNotStarveSockets() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    for (int i = 0; i < 10; i++) {
      Coroutine.spawn(
          () -> {
            while (!stop.get()) {
              Time.sleep(Duration.ofNanos(1));
            }
          });
    }
    try (TcpListener listener =
            Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        TcpStream client = Tcp.connect(listener.local());
        TcpStream server = listener.accept()) {
      Coroutine<Integer> reading = Coroutine.spawn(() -> server.read(ByteBuffer.allocate(1)));
      Coroutine.pause();
      client.write(ByteBuffer.wrap(new byte[] {1}));
      assertEquals(1, reading.await());
    }
    stop.set(true);
  }

  /// Between two looks at the sockets only so many coroutines run, however many are ready.
  @InLoop
  @Test
  void aLongReadyQueueDoesNotKeepTheLoopFromLooking() throws Exception {
    long before = Loop.current().stats().iterations();
    for (int i = 0; i < 10_000; i++) {
      Coroutine.spawn(() -> log.add("ran"));
    }
    Coroutine.pause();

    assertEquals(10_000, log.size());
    assertTrue(Loop.current().stats().iterations() - before >= 10_000 / 256);
  }

  @InLoop
  @Test
  void aResumerAndItsCoroutineThatNeverAwaitStillCountAsOneTurn() throws Exception {
    Coroutine<?> generator =
        Coroutine.create(
            () -> {
              while (true) {
                Coroutine.yield(1);
              }
            });
    Coroutine.spawn(() -> log.add("other"));
    for (int i = 0; i < 100; i++) {
      generator.resume();
    }
    assertEquals(List.of(), log); // resuming is calling, not waiting
    Coroutine.pause();
    assertEquals(List.of("other"), log);
  }
}
