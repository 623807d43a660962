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
  private final Chan<Integer> chan = Chan.create(0);
  private final Waiting receiver = new Waiting(chan, Endpoint.IN, null);

  public ChanMatchAndClose() {
    chan.passage().enter(receiver, null);
  }

  @Actor
  public void match(ZL_Result result) {
    Attempt<Integer> giver = new Attempt<>(chan, Endpoint.OUT, 7);
    chan.passage().attempt(giver, null);
    result.r1 = giver.state == Party.State.MET;
  }

  @Actor
  public void close() {
    chan.close();
  }

  @Arbiter
  public void end(ZL_Result result) {
    result.r2 = receiver.end();
  }
}
