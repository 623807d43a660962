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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

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

  @Test
  void r4_aWaiterThatIsResumedClosesTheHandle() {
    TimerOperation timer = new TimerOperation("timer", 1);
    waiter.await(timer);

    timer.cancel();

    assertEquals(List.of("timer (CLOSING)"), test.blocks());
    assertTrue(isClosing(timer.address()));
    assertEquals(0, test.stats().waits());
    test.turnUntilQuiet();
    assertEquals(List.of(), test.blocks());
    assertEquals(0, waiter.completions());
  }

  @Test
  void r3_aHandleWhoseCallbackIsOnItsWayIsNotClosed() {
    AsyncOperation async = new AsyncOperation("async");
    waiter.await(async);
    async.ring();

    async.cancel();

    assertEquals(List.of("async (CANCELED)"), test.blocks());
    assertFalse(isClosing(async.address()));
    assertEquals(0, test.stats().waits());
    assertTrue(test.loop().liveness().isAlive(), "libuv owes a callback");
    assertEquals(0, async.unclaimedCount());
  }

  @Test
  void c6_theCallbackThatFindsNobodyReleasesWhatItBringsAndClosesTheHandle() {
    AsyncOperation async = new AsyncOperation("async");
    waiter.await(async);
    async.ring();
    async.cancel();

    test.turnUntil(() -> async.unclaimedCount() > 0);

    assertEquals(1, async.unclaimedCount());
    assertEquals(0, waiter.completions());
    test.turnUntilQuiet();
    assertEquals(List.of(), test.blocks());
    assertEquals(1, async.unclaimedCount());
  }

  /// Unreachable in CoUtil, and here: a canceled handle is not used again, a new one is opened.
  @Test
  void o8_theSameTypeOfHandleIsOpenedAnewBesideACanceledOne() {
    AsyncOperation left = new AsyncOperation("left");
    AsyncOperation next = new AsyncOperation("next");
    waiter.await(left);
    left.ring();
    left.cancel();

    boolean complete = waiter.await(next);

    assertFalse(complete);
    assertNotEquals(left.address(), next.address());
    assertEquals(List.of("left (CANCELED)", "next (AWAITING)"), test.blocks());
    test.turnUntil(() -> left.unclaimedCount() == 1);
    assertEquals(0, waiter.completions(), "the old ring is not the new one's");
    next.ring();
    test.turnUntil(() -> waiter.completions() == 1);
    assertEquals(0, next.unclaimedCount());
  }

  /// Instead of waiting for the callback that is due, the next operation starts at once.
  @Test
  void o9_aHandleThatMustStillFireDoesNotHoldUpTheNextOperation() {
    AsyncOperation left = new AsyncOperation("left");
    waiter.await(left);
    left.ring();
    left.cancel();

    waiter.await(new RandomOperation("request"));
    assertEquals(List.of("left (CANCELED)", "request (AWAITING)"), test.blocks());
    test.turnUntilQuiet();
    waiter.await(new TimerOperation("handle", 1));

    assertEquals(List.of("handle (AWAITING)"), test.blocks());
    assertEquals(1, waiter.completions());
  }

  /// The next operation is under way already when the old handle fires and is closed.
  @Test
  void c7_theCallbackThatIsDueClosesItsHandleAndDoesNotTouchTheNextOperation() {
    AsyncOperation left = new AsyncOperation("left");
    TimerOperation next = new TimerOperation("next", 1);
    waiter.await(left);
    left.ring();
    left.cancel();
    waiter.await(next);

    test.turnUntil(() -> left.unclaimedCount() == 1 && waiter.completions() == 1);
    test.turnUntilQuiet();

    assertEquals(List.of("next (COMPLETED)"), test.blocks());
    assertEquals(1, left.unclaimedCount());
    assertEquals(1, waiter.completions());
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

    assertEquals(List.of("first (CANCELED)", "second (CANCELED)"), test.blocks());
    test.turnUntilQuiet();
    assertEquals(List.of(), test.blocks());
    assertEquals(1, first.unclaimedCount());
    assertEquals(List.of("late"), second.history());
    assertEquals(0, waiter.completions());
  }

  /// Instead of waiting for the close callback, the next operation starts at once.
  @Test
  void o10_aClosingHandleDoesNotHoldUpTheNextOperation() {
    TimerOperation left = new TimerOperation("left", 1);
    waiter.await(left);
    left.cancel();
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

  @Test
  void anExceptionWhereNobodyClaimsDoesNotKeepTheHandle() {
    AsyncOperation async =
        new AsyncOperation("async") {
          @Override
          protected void unclaimed() {
            throw new IllegalStateException("unclaimed");
          }
        };
    waiter.await(async);
    async.ring();
    async.cancel();

    AssertionError thrown = assertThrows(AssertionError.class, test::turnUntilQuiet);
    test.turnUntilQuiet();

    assertEquals("unclaimed", thrown.getCause().getMessage());
    assertClean();
  }

  @Test
  void anOperationThatWasNotStartedCannotBeCanceled() {
    assertThrows(AssertionError.class, () -> new TimerOperation("timer", 1).cancel());
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
