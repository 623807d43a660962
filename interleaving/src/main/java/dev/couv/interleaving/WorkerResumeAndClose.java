// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.pool.Worker;
import dev.couv.pool.WorkerStatus;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZZ_Result;

/// A step of a worker and its close: the step runs, and the close was refused or came after; or it was
/// closed before, and the step is refused.
@JCStressTest
@Outcome(id = "2, true, true", expect = Expect.ACCEPTABLE, desc = "the step, then the close")
@Outcome(id = "2, false, true", expect = Expect.ACCEPTABLE, desc = "refused while it ran")
@Outcome(id = "-1, true, true", expect = Expect.ACCEPTABLE, desc = "closed before")
@State
public class WorkerResumeAndClose {
  private final Worker<Integer, Integer> worker =
      Worker.create(
          first -> {
            Worker.<Integer, Integer>yield(first + 1);
            return 0;
          });

  @Actor
  public void resumer(IZZ_Result result) {
    result.r1 = Looped.run(Looped.FIRST, () -> worker.resume(1));
  }

  @Actor
  public void closer(IZZ_Result result) {
    result.r2 = closed();
  }

  private boolean closed() {
    try {
      worker.close();
      return true;
    } catch (IllegalStateException underWay) {
      return false;
    }
  }

  @Arbiter
  public void end(IZZ_Result result) {
    result.r3 = closed() && worker.status() == WorkerStatus.DEAD;
  }
}
