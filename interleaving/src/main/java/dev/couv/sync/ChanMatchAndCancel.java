// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/// A receiver that waits is met and cancelled: one of them happens.
@JCStressTest
@Outcome(id = "true, false, MET 1 7", expect = Expect.ACCEPTABLE, desc = "met")
@Outcome(id = "false, true, LEFT 0", expect = Expect.ACCEPTABLE, desc = "cancelled")
@State
public class ChanMatchAndCancel {
  private final Passage<Integer> passage = new Passage<>(ChanOptions.of(0), null, null);
  private final Access access = new Access(null);
  private final Waiting receiver = new Waiting(access, Endpoint.IN, null);

  public ChanMatchAndCancel() {
    passage.enter(receiver, null);
  }

  @Actor
  public void match(ZZL_Result result) {
    Party<Integer> giver = new Party<>(access, Endpoint.OUT, 7, null);
    passage.attempt(giver, null);
    result.r1 = giver.state == Party.State.MET;
  }

  @Actor
  public void cancel(ZZL_Result result) {
    result.r2 = passage.leave(receiver);
  }

  @Arbiter
  public void end(ZZL_Result result) {
    result.r3 = receiver.end();
  }
}
