// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.loop.SpinLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Three threads take the lock again and again, and each sees what the others have done.
@JCStressTest
@Outcome(id = "30", expect = Expect.ACCEPTABLE, desc = "one at a time")
@State
public class LockTakenByThree {
  private final SpinLock lock = new SpinLock();
  private int count;

  private void take() {
    for (int i = 0; i < 10; i++) {
      lock.lock();
      count++;
      lock.unlock();
    }
  }

  @Actor
  public void one() {
    take();
  }

  @Actor
  public void two() {
    take();
  }

  @Actor
  public void three() {
    take();
  }

  @Arbiter
  public void end(I_Result result) {
    lock.lock();
    result.r1 = count;
    lock.unlock();
  }
}
