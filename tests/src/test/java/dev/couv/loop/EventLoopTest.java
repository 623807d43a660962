// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.loop.TcpHandle.TcpRead;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class EventLoopTest {
  @RegisterExtension final TestLoop test = new TestLoop();

  // ---- liveness

  @Test
  void aNewLoopHasNothingInHandAndIsNotAlive() {
    EventLoopStats stats = test.stats();

    assertEquals(new EventLoopStats(0, 0, 0, 0, 0, 0, 0, 0, stats.nativeBytes(), 0), stats);
    assertFalse(test.loop().liveness().isAlive());
    assertFalse(test.loop().liveness().isWorking());
  }

  @Test
  void aRequestInFlightKeepsItAliveAndWorkingAlsoIfItWasCanceled() {
    RandomOperation random = new RandomOperation("random");
    new TestWaiter(test.loop()).await(random);
    assertAlive(true, true);

    random.cancel();

    assertAlive(true, true);
    test.turnUntilQuiet();
    assertAlive(false, false);
  }

  @Test
  void anAwaitedHandleKeepsItAliveButNotWorking() {
    TestWaiter waiter = new TestWaiter(test.loop());
    AsyncOperation async = new AsyncOperation("async");

    waiter.await(async);

    assertAlive(true, false);
    assertTrue(test.loop().liveness().isWaitedFor());
    async.ring();
    test.turnUntil(() -> waiter.completions() == 1);
    assertAlive(false, false);
    assertFalse(test.loop().liveness().isWaitedFor());
  }

  @Test
  void anOpenObjectThatNobodyAwaitsDoesNotKeepItAlive() {
    TcpPair pair = new TcpPair(test);
    assertAlive(false, false);
    assertEquals(2, test.stats().openHandles());
    TcpRead read = new TcpRead(pair.far);

    new TestWaiter(test.loop()).await(read);
    assertAlive(true, false);
    read.cancel();

    assertAlive(false, false);
  }

  @Test
  void aClosingHandleKeepsItAliveAndWorking() {
    TcpHandle handle = TcpPair.open(test.loop(), "handle");
    assertAlive(false, false);

    handle.close();

    assertAlive(true, true);
    test.turnUntilQuiet();
    assertAlive(false, false);
  }

  @Test
  void aDeadlineKeepsItAliveButNotWorking() {
    Entry entry = new Entry(new ArrayList<>(), "entry");

    test.loop().timers().add(entry, test.loop().clock() + 1_000_000_000);

    assertAlive(true, false);
    assertEquals(1, test.stats().timers());
    test.loop().timers().remove(entry);
    assertAlive(false, false);
  }

  @Test
  void workOnOtherThreadsKeepsItAliveAndWorking() {
    test.loop().liveness().outsideWorkStarted();
    assertAlive(true, true);
    assertEquals(1, test.stats().outsideWork());

    test.loop().liveness().outsideWorkEnded();

    assertAlive(false, false);
  }

  private void assertAlive(boolean alive, boolean working) {
    assertEquals(alive, test.loop().liveness().isAlive(), "alive");
    assertEquals(working, test.loop().liveness().isWorking(), "working");
  }

  // ---- exceptions in callbacks

  @Test
  void anExceptionInACallbackComesOutOfThePollAndTheLoopGoesOn() {
    IllegalStateException failure = new IllegalStateException("in a callback");
    TestWaiter waiter = new TestWaiter(test.loop());
    waiter.await(new RandomOperation("random").inCallback(() -> sneak(failure)));

    AssertionError thrown = assertThrows(AssertionError.class, test::turnUntilQuiet);

    assertSame(failure, thrown.getCause());
    assertEquals(0, test.stats().requests());
    TestWaiter other = new TestWaiter(test.loop());
    other.await(new RandomOperation("other"));
    test.turnUntilQuiet();
    assertEquals(1, other.completions());
  }

  @Test
  void anErrorInACallbackComesOutAsItIs() {
    AssertionError failure = new AssertionError("in a callback");
    new TestWaiter(test.loop())
        .await(
            new RandomOperation("random")
                .inCallback(
                    () -> {
                      throw failure;
                    }));

    AssertionError thrown = assertThrows(AssertionError.class, test::turnUntilQuiet);

    assertSame(failure, thrown);
  }

  @Test
  void whatEscapesTwoCallbacksOfOneTurnComesOutTogether() {
    List<TestWaiter> waiters = new ArrayList<>();
    List<Error> failures = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      AssertionError failure = new AssertionError("failure " + i);
      failures.add(failure);
      TestWaiter waiter = new TestWaiter(test.loop());
      waiters.add(waiter);
      waiter.await(new IdleOperation("idle"));
    }
    EventLoop loop = test.loop();

    loop.escaped(failures.get(0));
    loop.escaped(failures.get(1));
    AssertionError thrown = assertThrows(AssertionError.class, () -> loop.poll(false, true));

    assertSame(failures.get(0), thrown);
    assertEquals(List.of(failures.get(1)), List.of(thrown.getSuppressed()));
    assertEquals(1, waiters.get(0).completions(), "the turn itself was taken");
    test.turn();
  }

  private static void sneak(RuntimeException failure) {
    throw failure;
  }

  // ---- timers and posts

  @Test
  void timersAreServedInBatches() {
    List<String> due = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      test.loop().timers().add(new Entry(due, name), test.loop().clock() - 1);
    }
    test.loop().timers().add(new Entry(due, "later"), test.loop().clock() + 1_000_000_000_000L);
    test.loop().updateTime();

    assertTrue(test.loop().fireTimers(2));
    assertEquals(List.of("a", "b"), due);
    assertFalse(test.loop().fireTimers(2));
    assertEquals(List.of("a", "b", "c"), due);
  }

  @Test
  void theLoopsTimeStandsStillBetweenTurns() {
    long before = test.loop().now();
    while (System.nanoTime() == before) {
      Thread.onSpinWait();
    }
    assertEquals(before, test.loop().now());

    test.turn();

    assertTrue(test.loop().now() - before > 0);
  }

  @Test
  void postsAreServedInBatchesAndInOrder() {
    List<String> ran = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      assertTrue(test.loop().post(() -> ran.add(name)));
    }

    assertTrue(test.loop().runPosted(2));
    assertEquals(List.of("a", "b"), ran);
    assertTrue(test.loop().hasPosted());
    assertFalse(test.loop().runPosted(2));
    assertEquals(List.of("a", "b", "c"), ran);
    assertFalse(test.loop().runPosted(2));
  }

  @Test
  void aPollDoesNotBlockWhilePostsAreLeftOfABatch() {
    test.loop().post(() -> {});
    test.loop().post(() -> {});
    test.loop().poll(true, true);
    assertTrue(test.loop().runPosted(1));

    test.waitInPoll(); // would last for ever

    assertFalse(test.loop().runPosted(1));
  }

  // ---- the end

  @Test
  void closingTakesEverythingThatIsInHandWithIt() {
    long before = NativeMemory.allocatedBytes();
    EventLoop loop = TestLoop.open();
    loop.scratch().buffer();
    TcpHandle open = TcpPair.open(loop, "open");
    TcpPair.open(loop, "closing").close();
    RandomOperation awaited = new RandomOperation("awaited");
    RandomOperation canceled = new RandomOperation("canceled");
    new TestWaiter(loop).await(awaited);
    new TestWaiter(loop).await(canceled);
    canceled.cancel();
    AsyncOperation left = new AsyncOperation("left");
    TestWaiter gone = new TestWaiter(loop);
    gone.await(left);
    left.ring();
    left.cancel();
    new TestWaiter(loop).await(new TimerOperation("timer", 10_000));
    RandomRequest source = new RandomRequest(loop);
    new TestWaiter(loop).await(source);
    RandomRequest canceledSource = new RandomRequest(loop);
    new TestWaiter(loop).await(canceledSource);
    canceledSource.cancel();

    TestLoop.close(loop);

    assertEquals(List.of("received"), awaited.history());
    assertEquals(List.of("late"), canceled.history());
    assertEquals(List.of("received"), source.history());
    assertEquals(List.of("unclaimed"), canceledSource.history());
    assertEquals(0, gone.completions());
    assertEquals(ObjectHandleState.FREED, open.state());
    assertEquals(1, open.closings());
    assertEquals(before, NativeMemory.allocatedBytes());
    assertTrue(loop.isClosed());
    assertEquals(new EventLoopStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0), loop.stats());
  }

  @Test
  void closingTellsWhoeverAwaitsAnObject() {
    EventLoop loop = TestLoop.open();
    TcpPair pair = new TcpPair(new TestLoop(loop));
    TestWaiter waiter = new TestWaiter(loop);
    TcpRead read = new TcpRead(pair.far);
    waiter.await(read);

    TestLoop.close(loop);

    assertEquals(1, waiter.completions());
    assertTrue(read.wasClosed());
  }

  @Test
  void whatWasPostedAndNotRunIsHandedOver() {
    EventLoop loop = TestLoop.open();
    Runnable first = () -> {};
    Runnable second = () -> {};
    loop.post(first);
    loop.post(second);
    List<Runnable> orphans = new ArrayList<>();

    loop.close(orphans::add);

    assertEquals(List.of(first, second), orphans);
  }

  @Test
  void aClosedLoopTakesNoPostsAndClosesOnlyOnce() {
    EventLoop loop = TestLoop.open();
    TestLoop.close(loop);

    assertFalse(loop.post(() -> {}));
    loop.wake();
    TestLoop.close(loop);

    assertFalse(loop.hasPosted());
    assertFalse(Census.loops().contains(loop));
  }

  /// A coroutine that outlives its loop must not reach into memory that is gone.
  @Test
  void aClosedLoopStartsNoOperation() {
    EventLoop loop = TestLoop.open();
    TestWaiter waiter = new TestWaiter(loop);
    waiter.await(new RandomOperation("completed"));
    new TestLoop(loop).turnUntilQuiet();
    RandomRequest source = new RandomRequest(loop);
    TestLoop.close(loop);
    long bytes = NativeMemory.allocatedBytes();

    for (Operation operation :
        List.of(new RandomOperation("random"), new TimerOperation("timer", 1), source)) {
      assertThrows(IllegalStateException.class, () -> waiter.await(operation));
    }
    assertThrows(IllegalStateException.class, () -> TcpPair.open(loop, "stream"));

    assertEquals(bytes, NativeMemory.allocatedBytes());
  }

  @Test
  void whatEscapesACallbackOfTheEndComesOutOfClose() {
    EventLoop loop = TestLoop.open();
    AssertionError failure = new AssertionError("late");
    RandomOperation random =
        new RandomOperation("random")
            .inCallback(
                () -> {
                  throw failure;
                });
    new TestWaiter(loop).await(random);
    random.cancel();

    AssertionError thrown = assertThrows(AssertionError.class, () -> TestLoop.close(loop));

    assertSame(failure, thrown);
    assertTrue(loop.isClosed());
  }

  private static final class Entry extends TimerEntry {
    private final List<String> due;
    private final String name;

    Entry(List<String> due, String name) {
      this.due = due;
      this.name = name;
    }

    @Override
    protected void due() {
      due.add(name);
    }
  }
}
