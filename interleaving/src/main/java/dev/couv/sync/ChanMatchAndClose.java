// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZL_Result;

/// A receiver that waits is met and the channel closed: one of them happens to him.
@JCStressTest
@Outcome(id = "true, MET 1 7", expect = Expect.ACCEPTABLE, desc = "met")
@Outcome(id = "false, REFUSED 1", expect = Expect.ACCEPTABLE, desc = "closed")
@State
public class ChanMatchAndClose {
  private final Passage<Integer> passage = new Passage<>(ChanOptions.of(0), null, null);
  private final Access access = new Access(null);
  private final Waiting receiver = new Waiting(access, Endpoint.IN, null);

  public ChanMatchAndClose() {
    passage.enter(receiver, null);
  }

  @Actor
  public void match(ZL_Result result) {
    Party<Integer> giver = new Party<>(access, Endpoint.OUT, 7, null);
    passage.attempt(giver, null);
    result.r1 = giver.state == Party.State.MET;
  }

  @Actor
  public void close() {
    passage.close(" is closed", null, null);
  }

  @Arbiter
  public void end(ZL_Result result) {
    result.r2 = receiver.end();
  }
}
