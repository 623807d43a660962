// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.sync.Chan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A sender that waits, a receiver that waits, and no room in between: they meet, whoever is first. None
/// sleeps for ever.
@JCStressTest
@Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "they met")
@State
public class ChanMeeting {
  private final Chan<Integer> chan = Chan.create(0);

  @Actor
  public void sender(II_Result result) {
    chan.send(7);
    result.r1 = 1;
  }

  @Actor
  public void receiver(II_Result result) {
    result.r2 = chan.receive();
  }
}
