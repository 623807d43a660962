// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.NativeCalls;
import dev.couv.uv.OtherCalls;
import dev.couv.uv.UvErrors;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The transitions of a handle in a coroutine's slot, by the numbers of `docs/internals/states.md`.
final class CoroutineHandleTransitionsTest {
  @RegisterExtension final TestLoop test = new TestLoop();

  private TestWaiter waiter;

  @BeforeEach
  void makeWaiter() {
    waiter = new TestWaiter(test.loop());
  }

  @Test
  void o2_aFreedSlotOpensAndArmsAHandleAndItsWaiterWaits() {
    TimerOperation timer = new TimerOperation("timer", 1);

    boolean complete = waiter.await(timer);

    assertFalse(complete);
    assertEquals(List.of("timer (AWAITING)"), test.blocks());
    assertTrue(isActive(timer.address()));
    assertEquals(1, test.stats().openHandles());
    assertEquals(1, test.stats().waits());
    assertTrue(test.loop().liveness().isAlive());
    assertEquals(0, waiter.completions());
  }

  @Test
  void c5_theCallbackTellsTheWaiterAndLeavesTheHandleArmed() {
    TimerOperation timer = new TimerOperation("timer", 1);
    waiter.await(timer);

    test.turnUntil(() -> waiter.completions() > 0);

    assertEquals(1, waiter.completions());
    assertEquals(List.of("timer (COMPLETED)"), test.blocks());
    assertTrue(isActive(timer.address()));
    assertEquals(0, test.stats().waits());
    assertFalse(test.loop().liveness().isAlive(), "armed, but nobody waits");
  }

  @Test
  void c5_anIdleHandleASignalAndAnAsyncTellTheirWaitersToo() {
    TestWaiter second = new TestWaiter(test.loop());
    TestWaiter third = new TestWaiter(test.loop());
    AsyncOperation async = new AsyncOperation("async");
    waiter.await(new IdleOperation("idle"));
    second.await(new SignalOperation("signal"));
    third.await(async);

    SignalOperation.send();
    async.ring();
    test.turnUntil(() -> waiter.completions() + second.completions() + third.completions() == 3);

    assertEquals(
        List.of("idle (COMPLETED)", "signal (COMPLETED)", "async (COMPLETED)"), test.blocks());
  }

  @Test
  void o6_theSameAwaitAgainStopsAndStartsNothing() {
    waiter.await(new IdleOperation("first"));
    test.turnUntil(() -> waiter.completions() == 1);

    try (CallCount starts = new CallCount("uv_idle_start");
        CallCount stops = new CallCount("uv_idle_stop");
        CallCount inits = new CallCount("uv_idle_init")) {
      boolean complete = waiter.await(new IdleOperation("second"));

      assertFalse(complete);
      assertEquals(List.of(0, 0, 0), List.of(starts.get(), stops.get(), inits.get()));
    }
    assertEquals(List.of("second (AWAITING)"), test.blocks());
    test.turnUntil(() -> waiter.completions() == 2);
    assertEquals(List.of("second (COMPLETED)"), test.blocks());
  }

  @Test
  void o6_otherParametersAreStoppedAndStartedInTheSameHandle() {
    TimerOperation first = new TimerOperation("first", 1);
    waiter.await(first);
    test.turnUntil(() -> waiter.completions() == 1);
    TimerOperation second = new TimerOperation("second", 2);

    try (CallCount stops = new CallCount("uv_timer_stop");
        CallCount inits = new CallCount("uv_timer_init")) {
      waiter.await(second);

      assertEquals(1, stops.get());
      assertEquals(0, inits.get());
    }
    assertEquals(first.address(), second.address());
    assertEquals(List.of("second (AWAITING)"), test.blocks());
    test.turnUntil(() -> waiter.completions() == 2);
  }

  @Test
  void o6_signalsThatComeWhileTheWaiterIsBusyAreNotLost() {
    TestWaiter observer = new TestWaiter(test.loop());
    observer.await(new SignalOperation("observer"));
    waiter.await(new SignalOperation("signal"));
    SignalOperation.send();
    test.turnUntil(() -> waiter.completions() == 1 && observer.completions() == 1);

    for (int sent = 2; sent <= 4; sent++) {
      int seen = sent;
      observer.await(new SignalOperation("observer"));
      SignalOperation.send();
      test.turnUntil(() -> observer.completions() == seen);
    }

    int ended = 0;
    for (int wait = 0; wait < 3; wait++) {
      int before = waiter.completions();
      if (!waiter.await(new SignalOperation("signal"))) {
        test.turnUntil(() -> waiter.completions() > before);
      }
      ended++;
    }
    assertEquals(3, ended);
    assertFalse(waiter.await(new SignalOperation("signal")), "there was no fifth");
  }

  @Test
  void o6_eventsOfOtherParametersEndNoneOfTheNewWaits() {
    TestWaiter observer = new TestWaiter(test.loop());
    observer.await(new SignalOperation("observer"));
    waiter.await(new SignalOperation("signal"));
    SignalOperation.send();
    test.turnUntil(() -> waiter.completions() == 1 && observer.completions() == 1);
    observer.await(new SignalOperation("observer"));
    SignalOperation.send();
    test.turnUntil(() -> observer.completions() == 2);
    test.turn();

    boolean complete = waiter.await(new SignalOperation("other", SignalOperation.SIGWINCH));

    assertFalse(complete);
    assertEquals(1, waiter.completions());
    SignalOperation.send(SignalOperation.SIGWINCH);
    test.turnUntil(() -> waiter.completions() == 2);
    assertFalse(waiter.await(new SignalOperation("other", SignalOperation.SIGWINCH)));
  }

  @Test
  void y2_aWaiterThatTurnsAwayClosesTheHandle() {
    TimerOperation timer = new TimerOperation("timer", 1);
    waiter.await(timer);
    test.turnUntil(() -> waiter.completions() == 1);

    waiter.turnAway();

    assertEquals(List.of("timer (CLOSING)"), test.blocks());
    assertEquals(0, test.stats().openHandles());
    assertEquals(1, test.stats().closingHandles());
    assertTrue(isClosing(timer.address()));
    assertTrue(test.loop().liveness().isAlive(), "libuv owes a callback");
  }

  @Test
  void f1_theMemoryIsGivenBackInTheCloseCallback() {
    waiter.await(new TimerOperation("timer", 1));
    test.turnUntil(() -> waiter.completions() == 1);
    waiter.turnAway();
    assertEquals(1, test.stats().blocks());

    test.turnUntilQuiet();

    assertEquals(List.of(), test.blocks());
    assertEquals(0, test.stats().blocks());
    assertEquals(0, test.stats().closingHandles());
    assertEquals(1, waiter.completions());
    assertFalse(test.loop().liveness().isAlive());
  }

  /// Instead of waiting for the close callback, the request starts at once in another block.
  @Test
  void o7_anArmedHandleMakesRoomForARequest() {
    waiter.await(new TimerOperation("timer", 1));
    test.turnUntil(() -> waiter.completions() == 1);

    boolean complete = waiter.await(new RandomOperation("random"));

    assertFalse(complete);
    assertEquals(List.of("timer (CLOSING)", "random (AWAITING)"), test.blocks());
    test.turnUntilQuiet();
    assertEquals(2, waiter.completions());
    assertEquals(List.of("request block COMPLETED"), test.blocks());
  }

  @Test
  void o7_anArmedHandleMakesRoomForAHandleOfAnotherType() {
    waiter.await(new TimerOperation("timer", 1));
    test.turnUntil(() -> waiter.completions() == 1);

    waiter.await(new IdleOperation("idle"));

    assertEquals(List.of("timer (CLOSING)", "idle (AWAITING)"), test.blocks());
    test.turnUntil(() -> waiter.completions() == 2);
  }

  /// Put off until the waiter turns to something else: what disarms a handle may take a lock.
  @Test
  void r4_aWaiterThatIsResumedLeavesTheHandleArmedUntilItTurnsAway() {
    TimerOperation timer = new TimerOperation("timer", 10_000);
    waiter.await(timer);

    try (CallCount stops = new CallCount("uv_timer_stop")) {
      timer.cancel();

      assertEquals(0, stops.get());
      assertEquals(List.of("timer (COMPLETED)"), test.blocks());
      assertTrue(isActive(timer.address()));
      assertEquals(0, test.stats().waits());
      assertFalse(test.loop().liveness().isAlive(), "armed, but nobody waits");

      waiter.turnAway();

      assertEquals(1, stops.get());
    }
    assertEquals(List.of("timer (CLOSING)"), test.blocks());
    assertTrue(isClosing(timer.address()));
    test.turnUntilQuiet();
    assertClean();
    assertEquals(0, waiter.completions());
  }

  @Test
  void r4_theSameAwaitAgainStopsAndStartsNothing() {
    TimerOperation left = new TimerOperation("left", 1);
    TimerOperation next = new TimerOperation("next", 1);
    waiter.await(left);
    left.cancel();

    try (CallCount starts = new CallCount("uv_timer_start");
        CallCount stops = new CallCount("uv_timer_stop");
        CallCount inits = new CallCount("uv_timer_init")) {
      assertFalse(waiter.await(next));

      assertEquals(List.of(0, 0, 0), List.of(starts.get(), stops.get(), inits.get()));
    }
    assertEquals(List.of("next (AWAITING)"), test.blocks());
    assertEquals(1, test.stats().waits());
    test.turnUntil(() -> waiter.completions() == 1);
  }

  /// Instead of a state of its own: it stays armed as any handle whose wait is left, and no callback is owed to anybody.
  @Test
  void r3_aHandleWhoseCallbackIsOnItsWayStaysArmed() {
    AsyncOperation async = new AsyncOperation("async");
    waiter.await(async);
    async.ring();

    async.cancel();

    assertEquals(List.of("async (COMPLETED)"), test.blocks());
    assertFalse(isClosing(async.address()));
    assertEquals(1, async.bell().onTheirWay());
    assertEquals(0, test.stats().waits());
    assertFalse(test.loop().liveness().isAlive(), "armed, but nobody waits");
  }

  /// Instead of closing the handle, the callback leaves what it brings to the next await of the same.
  @Test
  void c6_whatTheCallbackBringsForNobodyEndsTheNextSameAwaitAtOnce() {
    AsyncOperation left = new AsyncOperation("left");
    waiter.await(left);
    left.ring();
    left.cancel();

    test.turnUntil(() -> left.bell().onTheirWay() == 0);

    assertEquals(0, waiter.completions());
    assertEquals(List.of("left (COMPLETED)"), test.blocks());
    assertTrue(waiter.await(new AsyncOperation("next", left.bell())));
    assertEquals(List.of("next (COMPLETED)"), test.blocks());
    assertFalse(waiter.await(new AsyncOperation("last", left.bell())), "there was one");
    assertEquals(0, waiter.completions());
  }

  @Test
  void c6_aHandleThatIsClosedBeforeItsCallbackCameTellsNobodyAndGivesItsMemoryBack() {
    AsyncOperation left = new AsyncOperation("left");
    waiter.await(left);
    left.ring();
    left.cancel();

    waiter.turnAway();

    assertEquals(List.of("left (CLOSING)"), test.blocks());
    assertEquals(1, test.stats().blocks(), "until the close callback");
    test.turnUntilQuiet();
    assertClean();
    assertEquals(0, waiter.completions());
  }

  /// Unreachable in CoUtil. Here the same await goes on with the handle, as O6, and has what was on its way.
  @Test
  void o8_theSameAwaitGoesOnWithTheHandleAndHasWhatWasOnItsWay() {
    AsyncOperation left = new AsyncOperation("left");
    AsyncOperation next = new AsyncOperation("next", left.bell());
    waiter.await(left);
    left.ring();
    left.cancel();

    try (CallCount inits = new CallCount("uv_async_init")) {
      assertFalse(waiter.await(next));

      assertEquals(0, inits.get());
    }
    assertEquals(List.of("next (AWAITING)"), test.blocks());
    test.turnUntil(() -> waiter.completions() == 1);
    assertEquals(List.of("next (COMPLETED)"), test.blocks());
    assertFalse(waiter.await(new AsyncOperation("last", left.bell())), "it came once");
  }

  @Test
  void o8_anotherAwaitInTheSameHandleDoesNotHaveWhatWasOnItsWay() {
    TestWaiter observer = new TestWaiter(test.loop());
    AsyncOperation observed = new AsyncOperation("observer");
    AsyncOperation left = new AsyncOperation("left");
    AsyncOperation next = new AsyncOperation("next");
    waiter.await(left);
    observer.await(observed);
    left.ring();
    left.cancel();

    assertFalse(waiter.await(next));

    assertEquals(left.address(), next.address());
    observed.ring();
    test.turnUntil(() -> observer.completions() == 1);
    test.turn();
    assertEquals(0, waiter.completions(), "the old ring is not the new one's");
    assertTrue(test.blocks().contains("next (AWAITING)"), test.blocks()::toString);
    next.ring();
    test.turnUntil(() -> waiter.completions() == 1);
  }

  /// Instead of waiting for the callback that is due, the next operation starts at once, and the handle is closed.
  @Test
  void o9_aHandleWhoseCallbackIsOnItsWayDoesNotHoldUpTheNextOperation() {
    AsyncOperation left = new AsyncOperation("left");
    waiter.await(left);
    left.ring();
    left.cancel();

    waiter.await(new RandomOperation("request"));

    assertEquals(List.of("left (CLOSING)", "request (AWAITING)"), test.blocks());
    test.turnUntilQuiet();
    waiter.await(new TimerOperation("handle", 1));
    assertEquals(List.of("handle (AWAITING)"), test.blocks());
    assertEquals(1, waiter.completions());
  }

  /// The next operation is under way already; the handle that was left is closed, and its callback does not come.
  @Test
  void c7_theCallbackThatWasDueDoesNotTouchTheNextOperation() {
    AsyncOperation left = new AsyncOperation("left");
    AsyncOperation next = new AsyncOperation("next");
    TimerOperation between = new TimerOperation("between", 10_000);
    waiter.await(left);
    left.ring();
    left.cancel();
    waiter.await(between);
    assertEquals(List.of("left (CLOSING)", "between (AWAITING)"), test.blocks());
    between.cancel();
    waiter.await(next);

    test.turnUntilQuiet();

    assertEquals(List.of("next (AWAITING)"), test.blocks());
    assertEquals(0, waiter.completions());
    next.ring();
    test.turnUntil(() -> waiter.completions() == 1);
    assertEquals(List.of("next (COMPLETED)"), test.blocks());
  }

  @Test
  void r5_aWaiterThatIsResumedAgainLeavesTheNextOperationToo() {
    AsyncOperation first = new AsyncOperation("first");
    RandomOperation second = new RandomOperation("second");
    waiter.await(first);
    first.ring();
    first.cancel();
    waiter.await(second);

    second.cancel();

    assertEquals(List.of("first (CLOSING)", "second (CANCELED)"), test.blocks());
    test.turnUntilQuiet();
    assertClean();
    assertEquals(List.of("late"), second.history());
    assertEquals(0, waiter.completions());
  }

  /// Instead of waiting for the close callback, the next operation starts at once.
  @Test
  void o10_aClosingHandleDoesNotHoldUpTheNextOperation() {
    TimerOperation left = new TimerOperation("left", 1);
    waiter.await(left);
    left.cancel();
    waiter.turnAway();
    TimerOperation next = new TimerOperation("next", 1);

    boolean complete = waiter.await(next);

    assertFalse(complete);
    assertNotEquals(left.address(), next.address());
    assertEquals(List.of("left (CLOSING)", "next (AWAITING)"), test.blocks());
  }

  /// The request is under way already when the close callback comes.
  @Test
  void f2_theCloseCallbackDoesNotTouchTheRequestThatFollowed() {
    TcpPair pair = new TcpPair(test);
    pair.fill();
    TimerOperation left = new TimerOperation("left", 1);
    TcpPair.WriteOperation next = new TcpPair.WriteOperation("next", pair.near, new byte[60_000]);
    waiter.await(left);
    left.cancel();
    waiter.await(next);

    test.turnUntil(() -> !test.blocks().contains("left (CLOSING)"));

    assertTrue(test.blocks().contains("next (AWAITING)"), test.blocks()::toString);
    assertEquals(0, waiter.completions());
    pair.readUntil(test, () -> waiter.completions() == 1);
    assertEquals(0, next.code());
  }

  /// The handle is armed already when the close callback comes.
  @Test
  void f3_theCloseCallbackDoesNotTouchTheHandleThatFollowed() {
    TimerOperation left = new TimerOperation("left", 1);
    AsyncOperation next = new AsyncOperation("next");
    waiter.await(left);
    left.cancel();
    waiter.await(next);

    test.turnUntilQuiet();

    assertEquals(List.of("next (AWAITING)"), test.blocks());
    assertEquals(0, waiter.completions());
    next.ring();
    test.turnUntil(() -> waiter.completions() == 1);
    assertEquals(List.of("next (COMPLETED)"), test.blocks());
  }

  @Test
  void r6_aWaiterThatIsResumedWhileItsOldHandleClosesLeavesTheNextOneToo() {
    TimerOperation first = new TimerOperation("first", 1);
    TimerOperation second = new TimerOperation("second", 1);
    RandomOperation third = new RandomOperation("third");
    waiter.await(first);
    first.cancel();
    waiter.turnAway();
    waiter.await(second);

    second.cancel();
    waiter.await(third);

    assertEquals(List.of("first (CLOSING)", "second (CLOSING)", "third (AWAITING)"), test.blocks());
    test.turnUntilQuiet();
    assertEquals(List.of("request block COMPLETED"), test.blocks());
    assertEquals(1, waiter.completions());
  }

  /// Not drawn in the notes: libuv refuses the handle.
  @Test
  void aHandleThatCannotBeOpenedLeavesNothingBehind() {
    SignalOperation signal = new SignalOperation("signal");
    boolean complete;

    try (var _ = failing("uv_signal_init", UvErrors.UV_EMFILE)) {
      complete = waiter.await(signal);
    }

    assertTrue(complete);
    assertEquals(UvErrors.UV_EMFILE, signal.status());
    assertClean();
    assertFalse(waiter.await(new TimerOperation("next", 1)));
  }

  /// Not drawn in the notes: libuv opened the handle and does not start it.
  @Test
  void aHandleThatCannotBeArmedIsClosed() {
    SignalOperation signal = new SignalOperation("signal", 4711);

    boolean complete = waiter.await(signal);

    assertTrue(complete);
    assertEquals(UvErrors.UV_EINVAL, signal.status());
    assertEquals(List.of("signal (CLOSING)"), test.blocks());
    assertEquals(0, test.stats().waits());
    test.turnUntilQuiet();
    assertClean();
    assertEquals(0, waiter.completions());
    assertFalse(waiter.await(new SignalOperation("next", SignalOperation.SIGWINCH)));
  }

  @Test
  void aHandleThatCannotBeArmedAnewIsClosed() {
    waiter.await(new TimerOperation("first", 1));
    test.turnUntil(() -> waiter.completions() == 1);
    TimerOperation second = new TimerOperation("second", 2);
    boolean complete;

    try (var _ = failing("uv_timer_start", UvErrors.UV_EINVAL)) {
      complete = second.start(waiter);
    }

    assertTrue(complete);
    assertEquals(UvErrors.UV_EINVAL, second.status());
    assertEquals(List.of("second (CLOSING)"), test.blocks());
    test.turnUntilQuiet();
    assertClean();
    assertFalse(waiter.await(new TimerOperation("third", 1)));
  }

  /// Not drawn in the notes: the event came, and its waiter was resumed before it ran.
  @Test
  void anEventThatWasToldAndNotTakenEndsTheNextSameAwaitAtOnce() {
    AsyncOperation left = new AsyncOperation("left");
    waiter.await(left);
    left.ring();
    test.turnUntil(() -> waiter.completions() == 1);

    left.surrender();

    assertTrue(waiter.await(new AsyncOperation("next", left.bell())));
    assertFalse(waiter.await(new AsyncOperation("last", left.bell())), "there was one");
    assertEquals(1, waiter.completions());
  }

  @Test
  void anEventThatWasToldAndNotTakenIsNoneOfAnotherAwaits() {
    AsyncOperation left = new AsyncOperation("left");
    waiter.await(left);
    left.ring();
    test.turnUntil(() -> waiter.completions() == 1);

    left.surrender();

    assertFalse(waiter.await(new AsyncOperation("other")));
    test.turn();
    assertEquals(1, waiter.completions());
  }

  /// Awaits of the same, left before and after they were told, while it happens at random: each event ends one await.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyEventIsTakenOnceWhicheverWaitsAreLeft(long seed) {
    Random random = new Random(seed);
    AsyncOperation.Bell bell = new AsyncOperation.Bell();
    AsyncOperation awaited = null;
    int rung = 0;
    int told = 0;
    int taken = 0;

    for (int step = 0; step < 5000; step++) {
      if (awaited == null) {
        AsyncOperation next = new AsyncOperation("async", bell);
        if (!waiter.await(next)) {
          awaited = next;
        } else if (random.nextBoolean()) {
          taken++;
        } else {
          next.surrender();
        }
      } else if (waiter.completions() > told) {
        told++;
        if (random.nextBoolean()) {
          taken++;
        } else {
          awaited.surrender();
        }
        awaited = null;
      } else if (random.nextBoolean()) {
        awaited.cancel();
        awaited = null;
      }
      if (random.nextInt(3) == 0) {
        bell.ring();
        rung++;
      }
      if (random.nextInt(3) == 0) {
        test.turn();
      }
      assertEquals(awaited == null || waiter.completions() > told ? 0 : 1, test.stats().waits());
      assertEquals(1, test.stats().blocks());
    }
    test.turnUntil(() -> bell.onTheirWay() == 0);
    if (awaited != null && waiter.completions() > told) {
      taken++;
    }
    if (awaited == null || waiter.completions() > told) {
      while (waiter.await(new AsyncOperation("last", bell))) {
        taken++;
      }
    }

    assertEquals(rung, taken);
  }

  @Test
  void anOperationThatWasNotStartedCannotBeCanceled() {
    assertThrows(AssertionError.class, () -> new TimerOperation("timer", 1).cancel());
    assertThrows(AssertionError.class, () -> new TimerOperation("timer", 1).surrender());
    assertThrows(AssertionError.class, () -> new RandomOperation("random").cancel());
  }

  private void assertClean() {
    assertEquals(List.of(), test.blocks());
    assertEquals(0, test.stats().openHandles());
    assertEquals(0, test.stats().closingHandles());
    assertFalse(test.loop().liveness().isAlive());
  }

  private static NativeCalls.Replacement failing(String call, int code) {
    return NativeCalls.replace(call, NativeCalls.failing(call, code));
  }

  private static boolean isActive(long handle) {
    return OtherCalls.uv_is_active(handle) != 0;
  }

  private static boolean isClosing(long handle) {
    return OtherCalls.uv_is_closing(handle) != 0;
  }
}
