// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Two who would meet, and a close: both meet, or both are told.
@JCStressTest
@Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "they met")
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "it was closed")
@State
public class ChanMeetingAndClose {
  private final Chan<Integer> chan = Chan.create(0);

  @Actor
  public void sender(II_Result result) {
    try {
      chan.send(7);
      result.r1 = 1;
    } catch (ClosedException closed) {
      result.r1 = -1;
    }
  }

  @Actor
  public void receiver(II_Result result) {
    try {
      result.r2 = chan.receive();
    } catch (ClosedException closed) {
      result.r2 = -1;
    }
  }

  @Actor
  public void closer() {
    chan.close();
  }
}
