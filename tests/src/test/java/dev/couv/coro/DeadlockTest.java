// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlockTest {
  private final List<Object> log = new ArrayList<>();

  @Test
  @Behaviour("TA53")
  void twoThatAwaitEachOtherAreListedWithWhatTheyAwaitAndWhereTheyCameFrom() {
    Deadlock deadlock =
        assertThrows(
            Deadlock.class,
            () ->
                Loop.run(
                    () -> {
                      List<Coroutine<?>> both = new ArrayList<>();
                      both.add(Coroutine.spawn(() -> both.get(1).await()).named("egg"));
                      both.add(Coroutine.spawn(() -> both.get(0).await()).named("hen"));
                    }));

    List<String> lines = deadlock.getMessage().lines().toList();
    assertEquals(2, deadlock.coroutines().size());
    assertEquals(
        List.of("egg", "hen"), deadlock.coroutines().stream().map(Coroutine::name).toList());
    assertTrue(lines.get(1).contains("egg"), lines::toString);
    assertTrue(lines.get(1).contains("the end of hen"), lines::toString);
    assertTrue(lines.get(1).contains("DeadlockTest.java:"), lines::toString);
    assertTrue(lines.get(2).contains("hen"), lines::toString);
    assertTrue(lines.get(2).contains("the end of egg"), lines::toString);
    assertTrue(lines.get(2).contains("DeadlockTest.java:"), lines::toString);
    assertEquals(3, lines.size(), lines::toString);
  }

  @Test
  @Behaviour("TA54")
  void theStuckCoroutinesUnwindBeforeTheRunEnds() {
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                () -> {
                  try {
                    Coroutine.halt();
                  } finally {
                    log.add("finally");
                  }
                }));

    assertEquals(List.of("finally"), log);
  }

  @Test
  void oneThatIsHaltedIsAwaitedForEver() {
    Deadlock deadlock =
        assertThrows(
            Deadlock.class,
            () ->
                Loop.run(
                    () -> {
                      Coroutine<?> halted = Coroutine.spawn(() -> Coroutine.halt());
                      halted.await();
                    }));

    assertTrue(deadlock.getMessage().contains("halted"), deadlock.getMessage());
    assertTrue(deadlock.getMessage().contains("main"), deadlock.getMessage());
  }

  @Test
  void awaitingAGeneratorThatNobodyResumesIsOne() {
    Deadlock deadlock =
        assertThrows(
            Deadlock.class,
            () ->
                Loop.run(
                    () -> {
                      Coroutine<?> generator = Coroutine.create(() -> Coroutine.yield(1));
                      generator.resume();
                      generator.await();
                    }));

    assertEquals(List.of("main"), deadlock.coroutines().stream().map(Coroutine::name).toList());
  }

  @Test
  void anyThatIsProtectedUnwindsToo() {
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                () -> {
                  Coroutine.spawn(
                      () -> {
                        try {
                          Coroutine.protect(() -> Coroutine.halt());
                        } finally {
                          log.add("finally");
                        }
                      });
                }));

    assertEquals(List.of("finally"), log);
  }

  @Test
  void aSleeperAmongTheStuckIsWaitedForFirst() {
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                JumpingTime.options(),
                () -> {
                  Coroutine.spawn(() -> Coroutine.halt());
                  Time.sleep(Duration.ofSeconds(10));
                  log.add("slept");
                }));

    assertEquals(List.of("slept"), log);
  }

  /// Whoever waits for a connection can be reached from outside.
  @InLoop
  @Test
  void anAcceptIsNone() throws Exception {
    try (TcpListener listener =
        Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      Coroutine<?> acceptor = Coroutine.spawn(() -> listener.accept().close());
      Time.sleep(Duration.ofMillis(20));
      assertEquals(Status.SUSPENDED, acceptor.status());
      Tcp.connect(listener.local()).close();
      acceptor.await();
    }
  }

  @Test
  void inAnEmbeddedLoopTheRunJustReturns() throws Exception {
    try (Loop loop = Loop.open()) {
      Coroutine<?> halted = loop.spawn(() -> log.add(Coroutine.halt()));

      assertFalse(loop.run(Mode.LOOP));

      assertEquals(Status.SUSPENDED, halted.status());
      halted.resume("from outside");
      assertEquals(List.of("from outside"), log);
    }
  }

  @Test
  void theDumpTellsTheSameOfALoopThatGoesOn() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine.spawn(() -> Time.sleep(Duration.ofSeconds(2))).named("sleeper");
          Coroutine.create(() -> 1).named("created");
          Time.sleep(Duration.ofSeconds(1));

          String dump = Loop.current().dump();

          List<String> lines = dump.lines().toList();
          assertEquals(4, lines.size(), dump);
          assertTrue(lines.getFirst().contains("3 coroutines"), dump);
          assertTrue(lines.get(1).contains("main RUNNING"), dump);
          assertTrue(lines.get(2).contains("sleeper SUSPENDED, awaiting Time.sleep"), dump);
          assertTrue(lines.get(2).contains("for 1000 ms"), dump);
          assertTrue(lines.get(2).contains("DeadlockTest.java:"), dump);
          assertTrue(lines.get(3).contains("created CREATED"), dump);
        });
  }
}
