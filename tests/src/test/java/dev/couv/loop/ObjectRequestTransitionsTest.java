// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.BusyException;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The transitions of an object's request, by the numbers of `docs/internals/states.md`.
final class ObjectRequestTransitionsTest {
  @RegisterExtension final TestLoop test = new TestLoop();

  private TestWaiter waiter;
  private RandomRequest source;

  @BeforeEach
  void makeObject() {
    waiter = new TestWaiter(test.loop());
    source = new RandomRequest(test.loop());
  }

  @Test
  void o13_aFreedObjectTakesMemoryAndStartsAndItsWaiterWaits() {
    assertEquals(0, test.stats().blocks());

    boolean complete = waiter.await(source);

    assertFalse(complete);
    assertEquals(RequestState.AWAITING, source.state());
    assertEquals(List.of("random source (AWAITING)"), test.blocks());
    assertEquals(1, test.stats().requests());
    assertTrue(test.loop().liveness().isAlive());
  }

  @Test
  void o13_aStartThatLibuvRefusesLeavesTheObjectFreed() {
    boolean complete;

    try (var _ = failing(UvErrors.UV_ENOMEM)) {
      complete = waiter.await(source);
    }

    assertTrue(complete);
    assertEquals(UvErrors.UV_ENOMEM, source.lastStatus());
    assertEquals(RequestState.FREED, source.state());
    assertEquals(0, test.stats().blocks());
    assertEquals(0, test.stats().requests());
    assertFalse(waiter.await(source));
  }

  @Test
  void o13_aSecondWaiterIsRefused() {
    waiter.await(source);
    TestWaiter second = new TestWaiter(test.loop());

    BusyException refused = assertThrows(BusyException.class, () -> second.await(source));

    assertEquals(
        "random source (AWAITING): another coroutine is awaiting it", refused.getMessage());
    test.turnUntilQuiet();
    assertEquals(List.of(1, 0), List.of(waiter.completions(), second.completions()));
  }

  @Test
  void c9_theCallbackTellsTheWaiterAndKeepsTheMemory() {
    waiter.await(source);

    test.turnUntilQuiet();

    assertEquals(1, waiter.completions());
    assertEquals(List.of("received"), source.history());
    assertEquals(0, source.lastStatus());
    assertFalse(Arrays.equals(new byte[16], source.bytes()));
    assertEquals(RequestState.COMPLETED, source.state());
    assertEquals(1, test.stats().blocks());
    assertFalse(test.loop().liveness().isAlive());
  }

  @Test
  void o14_aCompletedRequestStartsAgainInTheSameBlock() {
    waiter.await(source);
    test.turnUntilQuiet();
    long first = source.address();
    long bytes = NativeMemory.allocatedBytes();

    boolean complete = waiter.await(source);

    assertFalse(complete);
    assertEquals(first, source.address());
    assertEquals(bytes, NativeMemory.allocatedBytes());
    assertEquals(RequestState.AWAITING, source.state());
    test.turnUntilQuiet();
    assertEquals(2, waiter.completions());
  }

  @Test
  void o14_aStartThatLibuvRefusesLeavesTheObjectCompleted() {
    waiter.await(source);
    test.turnUntilQuiet();

    try (var _ = failing(UvErrors.UV_ENOMEM)) {
      assertTrue(waiter.await(source));
    }

    assertEquals(UvErrors.UV_ENOMEM, source.lastStatus());
    assertEquals(RequestState.COMPLETED, source.state());
    waiter.turnAway();
    assertEquals(RequestState.FREED, source.state());
    assertEquals(0, test.stats().blocks());
  }

  @Test
  void o14_whatAnotherWaiterCompletedIsNotGivenUpByTheOneBefore() {
    waiter.await(source);
    test.turnUntilQuiet();
    TestWaiter other = new TestWaiter(test.loop());
    other.await(source);
    test.turnUntilQuiet();
    byte[] bytes = source.bytes();

    waiter.turnAway();

    assertEquals(RequestState.COMPLETED, source.state());
    assertEquals(1, test.stats().blocks());
    new TestWaiter(test.loop()).await(new RandomOperation("another owner"));
    test.turnUntilQuiet();
    assertArrayEquals(bytes, source.bytes(), "the memory is still the other's");
    other.turnAway();
    assertEquals(RequestState.FREED, source.state());
  }

  @Test
  void y4_aWaiterThatTurnsAwayGivesTheMemoryBack() {
    waiter.await(source);
    test.turnUntilQuiet();

    waiter.turnAway();

    assertEquals(RequestState.FREED, source.state());
    assertEquals(List.of(), test.blocks());
    assertFalse(waiter.await(source), "and it can start anew");
  }

  @Test
  void y4_anotherAwaitOfTheSameWaiterGivesTheMemoryBack() {
    waiter.await(source);
    test.turnUntilQuiet();

    waiter.await(new IdleOperation("idle"));

    assertEquals(RequestState.FREED, source.state());
    assertEquals(List.of("idle (AWAITING)"), test.blocks());
  }

  @Test
  void r8_aWaiterThatIsResumedLeavesTheRequestWithLibuv() {
    waiter.await(source);

    try (CallCount revoked = new CallCount("uv_cancel")) {
      source.cancel();

      assertEquals(1, revoked.get());
    }
    assertEquals(RequestState.CANCELED, source.state());
    assertEquals(1, test.stats().requests());
    assertEquals(1, test.stats().blocks());
    assertEquals(0, waiter.completions());
  }

  @Test
  void c10_theLateCallbackReleasesWhatNobodyClaims() {
    List<Integer> blocks = new ArrayList<>();
    source.inCallback(() -> blocks.add(test.stats().blocks()));
    waiter.await(source);
    source.cancel();

    test.turnUntilQuiet();

    assertEquals(List.of("unclaimed"), source.history());
    assertEquals(List.of(1), blocks, "the memory is there until it is released");
    assertEquals(RequestState.FREED, source.state());
    assertEquals(0, test.stats().blocks());
    assertEquals(0, waiter.completions());
    assertFalse(test.loop().liveness().isAlive());
  }

  @Test
  void c10_anExceptionInTheLateCallbackDoesNotKeepTheMemory() {
    source.inCallback(
        () -> {
          throw new IllegalStateException("unclaimed");
        });
    waiter.await(source);
    source.cancel();

    assertThrows(AssertionError.class, test::turnUntilQuiet);

    assertEquals(RequestState.FREED, source.state());
    assertEquals(0, test.stats().blocks());
  }

  @Test
  void r8_whoWaitsIsToldWhenTheObjectCloses() {
    waiter.await(source);

    source.endEarly();

    assertEquals(RequestState.CANCELED, source.state());
    assertEquals(1, waiter.completions());
    source.endEarly();
    test.turnUntilQuiet();
    assertEquals(1, waiter.completions());
    assertEquals(List.of("unclaimed"), source.history());
    assertEquals(0, test.stats().blocks());
  }

  /// Unreachable in CoUtil. Here the late result is still the object's, so a new start is refused
  /// until it came.
  @Test
  void o15_anObjectWhoseRequestWasCanceledIsBusy() {
    waiter.await(source);
    source.cancel();

    BusyException refused = assertThrows(BusyException.class, () -> waiter.await(source));

    assertEquals(
        "random source (CANCELED): its canceled request has not ended yet", refused.getMessage());
    assertEquals(RequestState.CANCELED, source.state());
    assertEquals(1, test.stats().requests());
    assertEquals(1, test.stats().blocks());
  }

  /// Unreachable in CoUtil. Here nothing was put off: when the callback has come, the object can be
  /// started again, by whoever asks then.
  @Test
  void c11_theCallbackOfACanceledRequestStartsNothingAndMakesTheObjectFree() {
    waiter.await(source);
    source.cancel();
    assertThrows(BusyException.class, () -> waiter.await(source));

    test.turnUntilQuiet();

    assertEquals(RequestState.FREED, source.state());
    assertEquals(0, waiter.completions());
    assertFalse(waiter.await(source));
    test.turnUntilQuiet();
    assertEquals(1, waiter.completions());
    assertEquals(List.of("unclaimed", "received"), source.history());
  }

  /// Unreachable in CoUtil. Here the refused waiter does not wait: there is nothing to resume it
  /// from, and it can await something else at once.
  @Test
  void r9_aWaiterThatFoundTheObjectBusyIsFreeForSomethingElse() {
    waiter.await(source);
    source.cancel();
    TestWaiter refused = new TestWaiter(test.loop());
    assertThrows(BusyException.class, () -> refused.await(source));

    boolean complete = refused.await(new RandomOperation("other"));

    assertFalse(complete);
    test.turnUntilQuiet();
    assertEquals(1, refused.completions());
    assertEquals(0, waiter.completions());
    assertEquals(RequestState.FREED, source.state());
  }

  @Test
  void aSurrenderedResultIsReleased() {
    waiter.await(source);
    test.turnUntilQuiet();

    source.surrender();

    assertEquals(List.of("received", "unclaimed"), source.history());
  }

  private static NativeCalls.Replacement failing(int code) {
    return NativeCalls.replace("uv_random", NativeCalls.failing("uv_random", code));
  }
}
