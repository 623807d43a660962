// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.sync.Promise;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/// A completion and a cancel: one of them happens, and the cancel is passed on if and only if it was that.
@JCStressTest
@Outcome(id = "true, false, 0", expect = Expect.ACCEPTABLE, desc = "completed")
@Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "cancelled")
@State
public class PromiseCancelled {
  private final AtomicInteger passedOn = new AtomicInteger();
  private final Promise<Integer> promise = Promise.outside(passedOn::incrementAndGet);

  @Actor
  public void completer(ZZI_Result result) {
    result.r1 = promise.complete(7);
  }

  @Actor
  public void canceller(ZZI_Result result) {
    result.r2 = promise.cancel();
  }

  @Arbiter
  public void told(ZZI_Result result) {
    result.r3 = passedOn.get();
  }
}
