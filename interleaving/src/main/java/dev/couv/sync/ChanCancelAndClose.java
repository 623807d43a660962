// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZL_Result;

/// A receiver that waits is cancelled and the channel closed: one of them happens to him.
@JCStressTest
@Outcome(id = "true, LEFT 0", expect = Expect.ACCEPTABLE, desc = "cancelled")
@Outcome(id = "false, REFUSED 1", expect = Expect.ACCEPTABLE, desc = "closed")
@State
public class ChanCancelAndClose {
  private final Passage<Integer> passage = new Passage<>(ChanOptions.of(0), null, null);
  private final Access access = new Access(null);
  private final Waiting receiver = new Waiting(access, Endpoint.IN, null);

  public ChanCancelAndClose() {
    passage.enter(receiver, null);
  }

  @Actor
  public void cancel(ZL_Result result) {
    result.r1 = passage.leave(receiver);
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
