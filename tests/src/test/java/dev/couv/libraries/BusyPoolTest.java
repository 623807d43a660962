// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Patience;
import dev.couv.coro.CapturedLog;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Commons Pool, which Jedis uses: while the last object that a pool may hold is being made, whoever wants one, too, waits if the wait
/// has a limit, and otherwise computes until it is made. If it is a coroutine of the same loop that makes it, that is never.
@Tag("loop-scheduled-engine")
class BusyPoolTest {
  private final CountDownLatch made = new CountDownLatch(1);
  private final List<String> log = new ArrayList<>();

  private final GenericObjectPool<String> pool =
      new GenericObjectPool<>(
          new BasePooledObjectFactory<>() {
            @Override
            public String create() throws Exception {
              made.await();
              return "made";
            }

            @Override
            public PooledObject<String> wrap(String object) {
              return new DefaultPooledObject<>(object);
            }
          });

  /// A thread has begun to make the only one, and gives it back when it is made.
  private Thread maker() {
    pool.setMaxTotal(1);
    Thread maker =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    pool.returnObject(pool.borrowObject());
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                });
    Patience.until(() -> maker.getState() == Thread.State.WAITING);
    return maker;
  }

  @Test
  void aWaitWithALimitIsAWait() throws Exception {
    pool.setMaxWait(Duration.ofMinutes(1));
    Thread maker = maker();

    Loop.run(
        () -> {
          Coroutine.spawn(() -> log.add(pool.borrowObject()));
          Coroutine.pause();
          log.add("others go on");
          made.countDown();
        });

    assertEquals(List.of("others go on", "made"), log);
    maker.join();
    pool.close();
  }

  @Test
  void oneWithoutHoldsTheLoopAndIsTold() throws Exception {
    Thread maker = maker();
    try (CapturedLog told = new CapturedLog()) {
      Thread.ofPlatform()
          .start(
              () -> {
                Patience.until(() -> !told.messages().isEmpty());
                made.countDown();
              });

      Loop.run(
          LoopOptions.DEFAULT.withTurnLimit(Duration.ofMillis(50)),
          () -> {
            Coroutine.spawn(() -> log.add(pool.borrowObject())).named("borrower");
            Coroutine.pause();
            log.add("told " + told.messages().size());
          });

      assertEquals(List.of("made", "told 1"), log.stream().sorted().toList());
      String message = told.messages().getFirst();
      assertTrue(message.contains("borrower held its loop"), message);
      assertTrue(message.contains("GenericObjectPool.create"), message);
    }
    maker.join();
    pool.close();
  }
}
