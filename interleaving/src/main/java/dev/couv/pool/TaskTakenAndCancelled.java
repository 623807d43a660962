// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Body;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/// A task that nobody has taken is cancelled while a thread comes for one: it is taken, or it is gone.
@JCStressTest
@Outcome(id = "true, false, 0", expect = Expect.ACCEPTABLE, desc = "taken")
@Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "cancelled")
@State
public class TaskTakenAndCancelled {
  private static final Body<Integer> BODY = () -> 7;

  private final PoolTasks tasks = new PoolTasks("a pool");
  private final TaskLine line = new TaskLine();
  private final PoolTask<Integer> task = new PoolTask<>(tasks, BODY, BODY, null);

  public TaskTakenAndCancelled() {
    line.add(task);
  }

  @Actor
  public void taker(ZZL_Result result) {
    result.r1 = !line.drain().isEmpty();
  }

  @Actor
  public void canceller(ZZL_Result result) {
    result.r2 = line.remove(task);
  }

  @Arbiter
  public void end(ZZL_Result result) {
    result.r3 = line.size();
  }
}
