// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.UvErrors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Native memory is libuv's until its last callback, whatever happens to those who wait; and in a
/// steady state none is allocated.
final class OwnershipTest {
  @RegisterExtension final TestLoop test = new TestLoop();

  @Test
  void theMemoryOfCanceledRequestsIsNotUsedAgainBeforeTheirCallbacks() {
    Set<Long> canceled = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      RandomOperation random = new RandomOperation("canceled");
      new TestWaiter(test.loop()).await(random);
      random.cancel();
      canceled.add(random.address());
    }
    List<RandomOperation> next = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      RandomOperation random = new RandomOperation("next");
      new TestWaiter(test.loop()).await(random);
      next.add(random);
    }

    assertEquals(100, canceled.size());
    assertTrue(next.stream().noneMatch(random -> canceled.contains(random.address())));
    assertEquals(200, test.stats().blocks());
    assertEquals(200 * 256, test.stats().blockBytes());
    test.turnUntilQuiet();
    assertEquals(100, test.stats().blocks());
    assertTrue(next.stream().allMatch(random -> random.history().equals(List.of("received"))));
  }

  @Test
  void aWriteOutlivesTheCloseOfItsStreamUntilItsOwnCallback() {
    TcpPair pair = new TcpPair(test);
    pair.fill();
    TestWaiter waiter = new TestWaiter(test.loop());
    TcpPair.WriteOperation write = new TcpPair.WriteOperation("write", pair.near, new byte[60_000]);
    waiter.await(write);

    pair.near.close();

    assertTrue(test.blocks().contains("write (AWAITING)"), test.blocks()::toString);
    assertTrue(test.blocks().contains("near (CLOSING)"), test.blocks()::toString);
    test.turnUntilQuiet();
    assertEquals(1, waiter.completions());
    assertEquals(UvErrors.UV_ECANCELED, write.code());
    assertEquals(ObjectHandleState.FREED, pair.near.state());
  }

  @Test
  void aConnectOutlivesTheCloseOfItsStreamUntilItsOwnCallback() {
    TcpHandle stream = TcpPair.open(test.loop(), "stream");
    TestWaiter waiter = new TestWaiter(test.loop());
    TcpPair.ConnectOperation connect = new TcpPair.ConnectOperation(stream, 1);
    waiter.await(connect);

    connect.cancel();
    stream.close();

    assertEquals(List.of("stream (CLOSING)", "connect (CANCELED)"), test.blocks());
    test.turnUntilQuiet();
    assertEquals(List.of(), test.blocks());
    assertEquals(0, waiter.completions());
  }

  @Test
  void repeatedRequestsOfOneWaiterAllocateNothing() {
    TestWaiter waiter = new TestWaiter(test.loop());

    assertSteady(
        () -> {
          waiter.await(new RandomOperation("random"));
          test.turnUntilQuiet();
        });
  }

  @Test
  void requestsOfEverNewWaitersAllocateNothing() {
    assertSteady(
        () -> {
          TestWaiter waiter = new TestWaiter(test.loop());
          waiter.await(new RandomOperation("random", 3000));
          test.turnUntilQuiet();
          waiter.turnAway();
        });
  }

  @Test
  void canceledRequestsAllocateNothing() {
    TestWaiter waiter = new TestWaiter(test.loop());

    assertSteady(
        () -> {
          RandomOperation random = new RandomOperation("random");
          waiter.await(random);
          random.cancel();
          test.turnUntilQuiet();
        });
  }

  @Test
  void handlesThatComeAndGoAllocateNothing() {
    TestWaiter waiter = new TestWaiter(test.loop());

    assertSteady(
        () -> {
          int before = waiter.completions();
          waiter.await(new IdleOperation("idle"));
          test.turnUntil(() -> waiter.completions() > before);
          waiter.turnAway();
          test.turnUntilQuiet();
        });
  }

  @Test
  void objectsThatComeAndGoAllocateNothing() {
    RandomRequest source = new RandomRequest(test.loop());
    TestWaiter waiter = new TestWaiter(test.loop());

    assertSteady(
        () -> {
          TcpHandle stream = TcpPair.open(test.loop(), "stream");
          waiter.await(source);
          test.turnUntilQuiet();
          waiter.turnAway();
          stream.close();
          test.turnUntilQuiet();
        });
  }

  /// After a first round a thousand more need no more memory, nor leave any in use.
  private void assertSteady(Runnable round) {
    round.run();
    long bytes = NativeMemory.allocatedBytes();
    int blocks = test.stats().blocks();

    try (CallCount allocations = new CallCount("calloc")) {
      for (int i = 0; i < 1000; i++) {
        round.run();
      }

      assertEquals(0, allocations.get());
    }
    assertEquals(bytes, NativeMemory.allocatedBytes());
    assertEquals(blocks, test.stats().blocks());
  }
}
