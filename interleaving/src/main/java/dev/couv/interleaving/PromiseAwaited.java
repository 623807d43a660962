// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.sync.Promise;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// A plain thread waits while another completes: no wake-up is lost.
@JCStressTest
@Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "told")
@State
public class PromiseAwaited {
  private final Promise<Integer> promise = Promise.outside(() -> {});

  @Actor
  public void completer() {
    promise.complete(7);
  }

  @Actor
  public void waiter(I_Result result) {
    try {
      result.r1 = promise.await();
    } catch (Exception failed) {
      result.r1 = -1;
    }
  }
}
