// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.UvErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The transitions of a request in a coroutine's slot, by the numbers of `docs/internals/states.md`.
final class CoroutineRequestTransitionsTest {
  @RegisterExtension final TestLoop test = new TestLoop();

  private TestWaiter waiter;

  @BeforeEach
  void makeWaiter() {
    waiter = new TestWaiter(test.loop());
  }

  @Test
  void o1_aFreedSlotStartsARequestAndItsWaiterWaits() {
    RandomOperation random = new RandomOperation("random");

    boolean complete = waiter.await(random);

    assertFalse(complete);
    assertEquals(List.of("random (AWAITING)"), test.blocks());
    assertEquals(1, test.stats().requests());
    assertTrue(test.loop().liveness().isAlive());
    assertEquals(0, waiter.completions());
  }

  @Test
  void c1_theCallbackCompletesTheRequestAndTellsItsWaiterOnce() {
    RandomOperation random = new RandomOperation("random");
    waiter.await(random);

    test.turnUntilQuiet();

    assertEquals(1, waiter.completions());
    assertEquals(List.of("received"), random.history());
    assertEquals(0, random.status());
    assertFalse(Arrays.equals(new byte[16], random.bytes()));
    assertEquals(List.of("request block COMPLETED"), test.blocks());
    assertEquals(0, test.stats().requests());
    assertFalse(test.loop().liveness().isAlive());
  }

  @Test
  void c1_everyKindOfRequestReachesItsOwnWaiter() {
    TcpPair pair = new TcpPair(test);
    TestWaiter other = new TestWaiter(test.loop());
    TestWaiter third = new TestWaiter(test.loop());
    TcpPair.WriteOperation write =
        new TcpPair.WriteOperation("write", pair.near, new byte[] {1, 2, 3});
    TcpPair.ShutdownOperation shutdown = new TcpPair.ShutdownOperation(pair.near);
    LookupOperation lookup = new LookupOperation("lookup");

    waiter.await(write);
    other.await(shutdown);
    third.await(lookup);
    test.turnUntilQuiet();

    assertEquals(List.of(1, 1, 1), completions(waiter, other, third));
    assertEquals(List.of(0, 0, 0), List.of(write.code(), shutdown.code(), lookup.status()));
    assertTrue(lookup.holdsAddresses());
    lookup.free();
  }

  @Test
  void y1_aWaiterThatTurnsAwayGivesTheMemoryBack() {
    waiter.await(new RandomOperation("random"));
    test.turnUntilQuiet();
    long bytes = NativeMemory.allocatedBytes();

    waiter.turnAway();

    assertEquals(List.of(), test.blocks());
    assertEquals(0, test.stats().blocks());
    assertEquals(bytes, NativeMemory.allocatedBytes(), "the pool keeps it for the next");
  }

  @Test
  void o3_aCompletedRequestStartsTheNextInTheSameBlock() {
    RandomOperation first = new RandomOperation("first");
    waiter.await(first);
    test.turnUntilQuiet();
    long bytes = NativeMemory.allocatedBytes();
    RandomOperation second = new RandomOperation("second");

    waiter.await(second);

    assertEquals(first.address(), second.address());
    assertEquals(List.of("second (AWAITING)"), test.blocks());
    assertEquals(bytes, NativeMemory.allocatedBytes());
    test.turnUntilQuiet();
    assertEquals(2, waiter.completions());
    assertEquals(List.of("received"), first.history());
    assertEquals(List.of("received"), second.history());
  }

  @Test
  void o3_aRequestThatNeedsMoreRoomTakesABlockThatFits() {
    RandomOperation small = new RandomOperation("small");
    waiter.await(small);
    test.turnUntilQuiet();
    RandomOperation large = new RandomOperation("large", 4000);

    waiter.await(large);

    assertNotEquals(small.address(), large.address());
    assertEquals(List.of("large (AWAITING)"), test.blocks());
    test.turnUntilQuiet();
    assertEquals(List.of("received"), large.history());
    assertFalse(Arrays.equals(new byte[100], Arrays.copyOfRange(large.bytes(), 3900, 4000)));
  }

  @Test
  void o4_aCompletedRequestMakesRoomForAHandle() {
    waiter.await(new RandomOperation("random"));
    test.turnUntilQuiet();

    waiter.await(new TimerOperation("timer", 1));

    assertEquals(List.of("timer (AWAITING)"), test.blocks());
    test.turnUntil(() -> waiter.completions() == 2);
    assertEquals(List.of("timer (COMPLETED)"), test.blocks());
  }

  @Test
  void r1_aWaiterThatIsResumedLeavesTheRequestWithLibuv() {
    RandomOperation random = new RandomOperation("random");
    waiter.await(random);

    random.cancel();

    assertEquals(List.of("random (CANCELED)"), test.blocks());
    assertEquals(1, test.stats().requests());
    assertTrue(test.loop().liveness().isAlive(), "libuv owes a callback");
    assertEquals(0, waiter.completions());
  }

  @Test
  void r1_onlyWhatRunsOnLibuvsThreadsIsRevoked() {
    TcpPair pair = new TcpPair(test);
    pair.fill();
    TcpPair.WriteOperation write = new TcpPair.WriteOperation("write", pair.near, new byte[60_000]);
    RandomOperation random = new RandomOperation("random");
    TestWaiter other = new TestWaiter(test.loop());
    waiter.await(write);
    other.await(random);

    try (CallCount revoked = new CallCount("uv_cancel")) {
      write.cancel();
      assertEquals(0, revoked.get());
      random.cancel();
      assertEquals(1, revoked.get());
    }
  }

  @Test
  void c2_theLateCallbackReleasesWhatNobodyClaims() {
    LookupOperation lookup = new LookupOperation("lookup");
    waiter.await(lookup);
    lookup.cancel();

    test.turnUntilQuiet();

    assertEquals(List.of("late 0"), lookup.history());
    assertFalse(lookup.holdsAddresses());
    assertEquals(List.of(), test.blocks());
    assertEquals(0, waiter.completions());
    assertFalse(test.loop().liveness().isAlive());
  }

  @Test
  void c2_theMemoryIsTheRequestsUntilTheLateResultIsReleased() {
    List<Integer> blocks = new ArrayList<>();
    RandomOperation random = new RandomOperation("random");
    random.inCallback(() -> blocks.add(test.stats().blocks()));
    waiter.await(random);
    random.cancel();

    test.turnUntilQuiet();

    assertEquals(List.of(1), blocks);
    assertEquals(0, test.stats().blocks());
  }

  @Test
  void c2_anExceptionInTheLateCallbackDoesNotKeepTheMemory() {
    RandomOperation random = new RandomOperation("random");
    random.inCallback(
        () -> {
          throw new IllegalStateException("late");
        });
    waiter.await(random);
    random.cancel();

    AssertionError thrown = assertThrows(AssertionError.class, () -> test.turnUntilQuiet());

    assertEquals("late", thrown.getCause().getMessage());
    assertEquals(0, test.stats().blocks());
    assertFalse(test.loop().liveness().isWorking());
  }

  /// Instead of waiting for the old request, the coroutine gets another block.
  @Test
  void o5_aCanceledRequestDoesNotHoldUpTheNextOperation() {
    RandomOperation left = new RandomOperation("left");
    waiter.await(left);
    left.cancel();
    RandomOperation next = new RandomOperation("next");

    boolean complete = waiter.await(next);

    assertFalse(complete);
    assertNotEquals(left.address(), next.address());
    assertEquals(List.of("left (CANCELED)", "next (AWAITING)"), test.blocks());
    assertEquals(2, test.stats().requests());
  }

  /// The next request runs beside the canceled one; each callback finds its own.
  @Test
  void c3_theCallbackOfACanceledRequestDoesNotTouchTheRequestThatFollowed() {
    RandomOperation left = new RandomOperation("left");
    RandomOperation next = new RandomOperation("next");
    waiter.await(left);
    left.cancel();
    waiter.await(next);

    test.turnUntilQuiet();

    assertEquals(List.of("late"), left.history());
    assertEquals(List.of("received"), next.history());
    assertEquals(1, waiter.completions());
    assertEquals(List.of("request block COMPLETED"), test.blocks());
  }

  /// A write to a peer that does not read would hold up the timer for as long as that lasts.
  @Test
  void c4_aHandleThatFollowsAStalledRequestFiresWhileThatIsStillThere() {
    TcpPair pair = new TcpPair(test);
    pair.fill();
    TcpPair.WriteOperation write = new TcpPair.WriteOperation("write", pair.near, new byte[60_000]);
    waiter.await(write);
    write.cancel();

    waiter.await(new TimerOperation("timer", 1));
    test.turnUntil(() -> waiter.completions() == 1);

    assertTrue(test.blocks().contains("write (CANCELED)"), test.blocks()::toString);
    assertTrue(test.blocks().contains("timer (COMPLETED)"), test.blocks()::toString);

    pair.readUntil(test, () -> write.lateCode() != 1);
    assertEquals(0, write.lateCode(), "all of it goes out");
    assertFalse(test.blocks().contains("write (CANCELED)"));
    assertEquals(1, waiter.completions());
  }

  @Test
  void r2_aWaiterThatIsResumedAgainLeavesTheNextRequestTooAndStartsAThird() {
    RandomOperation first = new RandomOperation("first");
    RandomOperation second = new RandomOperation("second");
    RandomOperation third = new RandomOperation("third");
    waiter.await(first);
    first.cancel();
    waiter.await(second);

    second.cancel();
    waiter.await(third);

    assertEquals(
        List.of("first (CANCELED)", "second (CANCELED)", "third (AWAITING)"), test.blocks());
    test.turnUntilQuiet();
    assertEquals(List.of("late"), first.history());
    assertEquals(List.of("late"), second.history());
    assertEquals(List.of("received"), third.history());
    assertEquals(1, waiter.completions());
  }

  /// Not drawn in the notes: the setup fails.
  @Test
  void aRefusedRequestIsCompleteAtOnceAndItsBlockServesTheNext() {
    TcpHandle unconnected = TcpPair.open(test.loop(), "unconnected");
    TcpPair.ShutdownOperation refused = new TcpPair.ShutdownOperation(unconnected);

    boolean complete = waiter.await(refused);

    assertTrue(complete);
    assertEquals(UvErrors.code("ENOTCONN"), refused.code());
    assertTrue(test.blocks().contains("request block FREED"), test.blocks()::toString);
    assertEquals(0, test.stats().requests());

    RandomOperation next = new RandomOperation("next");
    waiter.await(next);
    test.turnUntilQuiet();
    assertEquals(List.of("received"), next.history());
    assertEquals(1, waiter.completions());
  }

  /// Not drawn in the notes: the object of the request is closed, and its waiter told at once.
  @Test
  void aRequestThatEndsEarlyTellsItsWaiterOnceAndKeepsItsMemoryUntilTheCallback() {
    TcpPair pair = new TcpPair(test);
    pair.fill();
    TcpPair.WriteOperation write = new TcpPair.WriteOperation("write", pair.near, new byte[60_000]);
    waiter.await(write);

    write.endEarly(UvErrors.UV_ECANCELED);
    pair.near.close();

    assertEquals(1, waiter.completions());
    assertEquals(UvErrors.UV_ECANCELED, write.code());
    assertTrue(test.blocks().contains("write (CANCELED)"), test.blocks()::toString);
    test.turnUntilQuiet();
    assertEquals(UvErrors.UV_ECANCELED, write.lateCode());
    assertFalse(test.blocks().contains("write (CANCELED)"));
    assertEquals(1, waiter.completions());

    write.endEarly(UvErrors.code("EPIPE"));
    assertEquals(UvErrors.UV_ECANCELED, write.code(), "it is not awaited any more");
  }

  /// Not drawn in the notes: complete, but its waiter was resumed before it took the result.
  @Test
  void aSurrenderedResultIsReleased() {
    LookupOperation lookup = new LookupOperation("lookup");
    waiter.await(lookup);
    test.turnUntilQuiet();

    lookup.surrender();

    assertEquals(List.of("received", "unclaimed"), lookup.history());
    assertFalse(lookup.holdsAddresses());
  }

  @Test
  void theBytesOfTwoRequestsOfTwoWaitersDoNotMix() {
    TestWaiter other = new TestWaiter(test.loop());
    RandomOperation one = new RandomOperation("one", 32);
    RandomOperation two = new RandomOperation("two", 32);

    waiter.await(one);
    other.await(two);
    test.turnUntilQuiet();
    byte[] bytes = one.bytes();

    assertNotEquals(one.address(), two.address());
    assertFalse(Arrays.equals(bytes, two.bytes()));
    other.turnAway();
    other.await(new RandomOperation("three", 32));
    test.turnUntilQuiet();
    assertArrayEquals(bytes, one.bytes());
  }

  private static List<Integer> completions(TestWaiter... waiters) {
    return Arrays.stream(waiters).map(TestWaiter::completions).toList();
  }
}
