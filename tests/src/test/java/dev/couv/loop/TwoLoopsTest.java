// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.Memory;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TwoLoopsTest {
  private static final int ROUNDS = 300;

  @Test
  void callbacksOfTwoLoopsOnTwoThreadsDoNotMix() throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);

    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<Integer>> both = List.of(threads.submit(run(start)), threads.submit(run(start)));

      for (Future<Integer> each : both) {
        assertEquals(4 * ROUNDS, each.get());
      }
    }
  }

  /// Uses each kind of operation, and counts how often its own waiters were told on its own thread.
  private static Callable<Integer> run(CyclicBarrier start) {
    return () -> {
      EventLoop loop = TestLoop.open();
      TestLoop test = new TestLoop(loop);
      int told = 0;
      try {
        Thread self = Thread.currentThread();
        TestWaiter requests = new TestWaiter(loop);
        TestWaiter handles = new TestWaiter(loop);
        TestWaiter objects = new TestWaiter(loop);
        TestWaiter writes = new TestWaiter(loop);
        RandomRequest source = new RandomRequest(loop);
        source.inCallback(() -> assertSame(self, Thread.currentThread()));
        TcpPair pair = new TcpPair(test);
        start.await();
        for (int i = 0; i < ROUNDS; i++) {
          int round = i + 1;
          RandomOperation random = new RandomOperation("random");
          random.inCallback(() -> assertSame(self, Thread.currentThread()));
          requests.await(random);
          objects.await(source);
          handles.await(new IdleOperation("idle"));
          writes.await(new TcpPair.WriteOperation("write", pair.near, new byte[100]));
          test.turnUntil(
              () ->
                  requests.completions() == round
                      && objects.completions() == round
                      && handles.completions() == round
                      && writes.completions() == round);
          handles.turnAway();
        }
        told =
            requests.completions()
                + objects.completions()
                + handles.completions()
                + writes.completions();
      } finally {
        TestLoop.close(loop);
      }
      return told;
    };
  }

  @Test
  void theNumberOfAClosedLoopIsUsedAgainAndNotThatOfAnOpenOne() {
    EventLoop first = TestLoop.open();
    EventLoop second = TestLoop.open();
    try {
      TcpHandle inFirst = TcpPair.open(first, "first");
      TcpHandle inSecond = TcpPair.open(second, "second");
      long firstNumber = number(inFirst);
      assertNotEquals(firstNumber, number(inSecond));

      TestLoop.close(first);
      first = TestLoop.open();

      assertEquals(firstNumber, number(TcpPair.open(first, "third")));
      assertTrue(inSecond.isOpen());
    } finally {
      TestLoop.close(first);
      TestLoop.close(second);
    }
  }

  @Test
  void manyLoopsAreOpenAtOnce() {
    List<EventLoop> loops = Stream.generate(TestLoop::open).limit(20).toList();

    for (EventLoop loop : loops) {
      TestWaiter waiter = new TestWaiter(loop);
      waiter.await(new RandomOperation("random"));
      new TestLoop(loop).turnUntil(() -> waiter.completions() == 1);
    }

    assertTrue(Census.loops().containsAll(loops));
    loops.forEach(TestLoop::close);
    assertTrue(Census.loops().stream().noneMatch(loops::contains));
  }

  private static long number(TcpHandle handle) {
    return Memory.getLong(handle.address()) >>> 32;
  }
}
