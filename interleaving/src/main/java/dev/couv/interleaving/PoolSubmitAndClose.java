// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.error.ClosedException;
import dev.couv.pool.LoopPool;
import dev.couv.sync.Promise;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// A task and the close of its pool, whose thread is started for it: it runs, or it is refused.
@JCStressTest
@Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "it ran")
@Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "the pool was closed before")
@State
public class PoolSubmitAndClose {
  private final LoopPool pool = LoopPool.open(0);
  private Promise<Integer> task;

  public PoolSubmitAndClose() {
    pool.resize(1);
  }

  @Actor
  public void submitter() {
    try {
      task = pool.submit(() -> 7);
    } catch (ClosedException closed) {
      task = Promise.completed(-1);
    }
  }

  @Actor
  public void closer() {
    pool.close();
  }

  @Arbiter
  public void end(I_Result result) {
    try {
      result.r1 = task.isDone() ? task.await() : -3;
    } catch (Exception rejected) {
      result.r1 = -2;
    }
  }
}
