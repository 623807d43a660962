// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Await;
import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import dev.couv.sync.Chan;
import dev.couv.sync.Promise;
import dev.couv.testing.Behaviour;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Pools that nobody closes, or refers to.
@Tag("jvm")
class PoolExitTest {
  @Test
  @Behaviour({"TP25", "TA99"})
  void aProgramEndsAlthoughTasksWait() throws Exception {
    assertEquals(List.of("end"), FreshJvm.run(LeftOpen.class));
  }

  static final class LeftOpen {
    public static void main(String[] args) throws Exception {
      Chan<Integer> never = Chan.create(0);
      Loop.run(
          () -> {
            LoopPool pool = LoopPool.open(2);
            for (int i = 0; i < 10; i++) {
              pool.submit(never::receive);
            }
            pool.resize(1);
          });
      System.out.println("end");
    }
  }

  @Test
  @Behaviour({"TP17", "TP24"})
  void tasksOfAPoolThatNobodyRefersToGoOn() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Promise<LoopPool> task = submit(chan);
    System.gc();
    chan.send(1);

    task.await().close();
  }

  private static Promise<LoopPool> submit(Chan<Integer> chan) {
    return LoopPool.open(1)
        .submit(
            () -> {
              Await.all(chan.receiving());
              return LoopPool.current();
            });
  }
}
