// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.sync.Chan;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A value in a channel, and two who take: one of them gets it, never both, never none.
@JCStressTest
@Outcome(id = "7, 0, 0", expect = Expect.ACCEPTABLE, desc = "the first has it")
@Outcome(id = "0, 7, 0", expect = Expect.ACCEPTABLE, desc = "the second has it")
@State
public class ChanTwoReceivers {
  private final Chan<Integer> chan = Chan.create(1);

  public ChanTwoReceivers() {
    chan.trySend(7);
  }

  private static int taken(Integer value) {
    return value == null ? 0 : value;
  }

  @Actor
  public void first(III_Result result) {
    result.r1 = taken(chan.tryReceive());
  }

  @Actor
  public void second(III_Result result) {
    result.r2 = taken(chan.tryReceive());
  }

  @Arbiter
  public void rest(III_Result result) {
    List<Integer> left = chan.drain();
    result.r3 = left.isEmpty() ? 0 : left.getFirst();
  }
}
