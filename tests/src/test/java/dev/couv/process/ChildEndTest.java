// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Resumed;
import dev.couv.error.ClosedException;
import dev.couv.error.UvException;
import dev.couv.host.Inside;
import dev.couv.host.Spawner;
import dev.couv.signal.Signal;
import dev.couv.strand.Suspension;
import dev.couv.stream.Coroutines;
import dev.couv.stream.Lines;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The ends of children: awaited or not, early, late, many, and by force.
final class ChildEndTest {
  private static final Command SLEEP = Command.of("sleep", "1000");

  @InLoop
  @ParameterizedTest
  @EnumSource
  void oneThatEndedBeforeAnybodyAwaitedItTellsAllTheSame(Spawner spawner) throws Exception {
    try (Child child = Ways.start(Command.of("sh", "-c", "exit 5"), spawner)) {
      while (child.isRunning()) {
        Time.sleep(Duration.ofMillis(1));
      }

      assertEquals(new Exit.Code(5), child.await());
      assertEquals(new Exit.Code(5), child.await());
      assertFalse(child.kill());
      assertFalse(child.signal(Signal.TERM));
    }
  }

  @InLoop
  @Test
  void everyoneWhoAwaitsItIsTold() throws Exception {
    try (Child child = Command.of("cat").stdin(Stdio.pipe()).start()) {
      Coroutine<Exit> first = Coroutine.spawn(child::await);
      Coroutine<Exit> second = Coroutine.spawn(child::await);
      Coroutine.pause();
      child.stdin().close();

      assertEquals(new Exit.Code(0), first.await());
      assertEquals(new Exit.Code(0), second.await());
    }
  }

  @InLoop
  @Test
  void aCancelledOrResumedAwaitLeavesTheChildAlone() throws Exception {
    try (Child child = Command.of("cat").stdin(Stdio.pipe()).start()) {
      Coroutine<Exit> cancelled = Coroutine.spawn(child::await);
      Coroutine<Resumed> resumed = Coroutine.spawn(() -> assertThrows(Resumed.class, child::await));
      Coroutine.pause();

      cancelled.cancel();
      resumed.resume(1);

      assertThrows(CancellationException.class, cancelled::await);
      assertEquals(List.of(1), resumed.await().values());
      assertTrue(child.isRunning());
      child.stdin().close();
      assertEquals(new Exit.Code(0), child.await());
    }
  }

  @InLoop
  @Test
  void oneWhoIsResumedAsItEndsFindsTheEndLater() throws Exception {
    try (Child child = Command.of("true").start()) {
      Coroutine<Resumed> waiting = Coroutine.spawn(() -> assertThrows(Resumed.class, child::await));
      Coroutine.pause();
      Coroutines.pauseUntilReady(waiting);

      waiting.resume();

      waiting.await();
      assertEquals(new Exit.Code(0), child.await());
    }
  }

  @InLoop
  @Test
  void itCanBeSelectedAmongOthers() throws Exception {
    try (Child slow = SLEEP.start();
        Child quick = Command.of("sh", "-c", "exit 2").start()) {
      var first = Await.select(slow, quick, Time.after(Duration.ofMinutes(1)));

      assertSame(quick, first.source());
      assertEquals(new Exit.Code(2), first.value());
      assertTrue(slow.isRunning());
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void closingKillsItAndWakesWhoeverAwaitsIt(Spawner spawner) throws Exception {
    Child child = Ways.start(SLEEP, spawner);
    ProcessHandle handle = ProcessHandle.of(child.pid()).orElseThrow();
    Coroutine<Exit> waiting = Coroutine.spawn(child::await);
    Coroutine.pause();

    child.close();
    child.close();

    assertThrows(ClosedException.class, waiting::await);
    assertThrows(ClosedException.class, child::await);
    while (handle.isAlive()) {
      Time.sleep(Duration.ofMillis(1));
    }
  }

  @InLoop
  @Test
  void oneThatIgnoresTermIsEndedByKill() throws Exception {
    Command stubborn =
        Command.of("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done")
            .stdout(Stdio.pipe())
            .detached(true);
    try (Child child = stubborn.start()) {
      Lines lines = child.stdout().lines();
      assertEquals("ready", lines.iterator().next());
      assertTrue(child.signal(Signal.TERM));
      var first = Await.select(child, Time.after(Duration.ofMillis(30)));
      assertTrue(first.source() != child, "it does not care about TERM");

      assertTrue(child.killGroup());

      assertEquals(new Exit.Signalled(Signal.KILL), child.await());
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void aWholeGroupCanBeKilled(Spawner spawner) throws Exception {
    Command family =
        Command.of("sh", "-c", "sleep 1000 & echo $!; sleep 1000 & echo $!; wait")
            .stdout(Stdio.pipe())
            .detached(true);
    try (Child child = Ways.start(family, spawner)) {
      List<ProcessHandle> grandchildren = new ArrayList<>();
      for (String line : child.stdout().lines()) {
        grandchildren.add(ProcessHandle.of(Long.parseLong(line)).orElseThrow());
        if (grandchildren.size() == 2) {
          break;
        }
      }

      assertTrue(child.killGroup());

      assertEquals(new Exit.Signalled(Signal.KILL), child.await());
      for (ProcessHandle grandchild : grandchildren) {
        while (grandchild.isAlive() && !isZombie(grandchild.pid())) {
          Time.sleep(Duration.ofMillis(1));
        }
      }
      assertThrows(IllegalStateException.class, () -> Command.of("true").start().killGroup());
    }
  }

  /// One whose parent has not asked for its end: in a container nobody may.
  private static boolean isZombie(long pid) throws Exception {
    var stat = Path.of("/proc", Long.toString(pid), "stat");
    try {
      return Files.readString(stat).contains(") Z ");
    } catch (IOException gone) {
      return true;
    }
  }

  @Test
  void aDetachedChildGoesOnWhenItIsClosed() throws Exception {
    long pid =
        Loop.run(
            () -> {
              try (Child child = SLEEP.detached(true).start()) {
                return child.pid();
              }
            });

    ProcessHandle child = ProcessHandle.of(pid).orElseThrow();
    assertTrue(child.isAlive());
    Signal.send(pid, Signal.KILL);
    reapLeftovers();
  }

  @Test
  void oneThatOutlivesItsLoopIsNoZombieForEver() throws Exception {
    long pid = Loop.run(() -> SLEEP.start().pid());
    assertEquals(1, Inside.leftovers());
    assertTrue(ProcessHandle.of(pid).orElseThrow().isAlive());

    Signal.send(pid, Signal.KILL);

    reapLeftovers();
  }

  private static void reapLeftovers() throws Exception {
    while (Inside.leftovers() > 0) {
      Loop.run(() -> Command.of("true").run());
    }
  }

  @Test
  void oneThatNobodyAwaitsDoesNotKeepTheRun() throws Exception {
    try (Loop loop = Loop.open()) {
      loop.spawn(() -> SLEEP.start());
      assertFalse(loop.run(Mode.LOOP));
    }
    assertEquals(1, Inside.leftovers());
    ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    reapLeftovers();
  }

  @InLoop
  @Test
  void anEndThatOtherCodeHasTakenIsReported() throws Exception {
    try (Child child = Command.of("true").start()) {
      long info = Memory.calloc(1, Posix.SIGINFO_SIZE);
      assertEquals(0, Posix.waitid(Posix.P_PID, (int) child.pid(), info, Posix.WEXITED));
      Memory.free(info);

      var lost = assertThrows(UvException.class, child::await);

      assertEquals("ECHILD", lost.code());
      assertFalse(child.kill());
    }
  }

  @InLoop
  @Test
  void aZombieOfForeignCodeDisturbsNobody() throws Exception {
    int zombie =
        Inside.spawnUnwatched(Suspension.loop("the test"), Command.of("/bin/true").program());
    while (!isZombie(zombie)) {
      Time.sleep(Duration.ofMillis(1));
    }

    for (Spawner spawner : Spawner.values()) {
      try (Child child = Ways.start(Command.of("sh", "-c", "exit 6"), spawner)) {
        assertEquals(new Exit.Code(6), child.await());
      }
    }

    assertTrue(Files.exists(Path.of("/proc", Integer.toString(zombie))), "it is not ours to bury");
    Inside.end(zombie);
  }

  @InLoop
  @Test
  void aHundredAtOnceAllEnd() throws Exception {
    allEnd(100);
  }

  @InLoop
  @Tag("storm")
  @Test
  void aThousandAtOnceAllEnd() throws Exception {
    allEnd(1000);
  }

  private static void allEnd(int count) throws Exception {
    List<Child> children = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      children.add(
          Command.of("sh", "-c", "read x; exit $x")
              .stdin(Stdio.pipe())
              .stdout(Stdio.discard())
              .start());
    }
    for (int i = 0; i < count; i++) {
      children.get(i).stdin().output().write((i % 200 + "\n").getBytes());
    }
    for (int i = 0; i < count; i++) {
      assertEquals(new Exit.Code(i % 200), children.get(i).await());
      children.get(i).close();
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void theJdksOwnProcessesEndAsUsualBesideThem(Spawner spawner) throws Exception {
    for (int i = 0; i < 5; i++) {
      Process theirs = new ProcessBuilder("sh", "-c", "exit 4").start();
      try (Child ours = Ways.start(Command.of("sh", "-c", "exit 3"), spawner)) {
        Process more = new ProcessBuilder("true").start();
        assertEquals(new Exit.Code(3), ours.await());
        assertEquals(4, Loop.<Integer>offload(theirs::waitFor));
        assertEquals(0, Loop.<Integer>offload(more::waitFor));
      }
    }
  }

  @InLoop
  @Test
  void severalLoopsHaveTheirOwn() throws Exception {
    Exit other = Loop.offload(() -> Loop.run(() -> Command.of("sh", "-c", "exit 9").run()));
    assertEquals(new Exit.Code(9), other);
    assertEquals(new Exit.Code(8), Command.of("sh", "-c", "exit 8").run());
  }

  @InLoop
  @Test
  void anotherThreadCannotUseIt() throws Exception {
    try (Child child = SLEEP.start()) {
      Loop.offload(
          () -> {
            assertThrows(IllegalStateException.class, child::kill);
            return assertThrows(IllegalStateException.class, child::close);
          });
      assertTrue(child.isRunning());
    }
  }
}
