// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.sync.Promise;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/// Two complete one promise: one is told that it did, and that is the value.
@JCStressTest
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "the first")
@Outcome(id = "false, true, 2", expect = Expect.ACCEPTABLE, desc = "the second")
@State
public class PromiseTwoCompletions {
  private final Promise<Integer> promise = Promise.outside(() -> {});

  @Actor
  public void first(ZZI_Result result) {
    result.r1 = promise.complete(1);
  }

  @Actor
  public void second(ZZI_Result result) {
    result.r2 = promise.complete(2);
  }

  @Arbiter
  public void value(ZZI_Result result) {
    try {
      result.r3 = promise.await();
    } catch (Exception failed) {
      result.r3 = -1;
    }
  }
}
