// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/// A send and a close: the value is in the channel if and only if the sender was told so.
@JCStressTest
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "sent, then closed")
@Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "closed, then refused")
@State
public class ChanSendAndClose {
  private final Chan<Integer> chan = Chan.create(1);

  @Actor
  public void sender(ZI_Result result) {
    try {
      result.r1 = chan.trySend(7);
    } catch (ClosedException closed) {
      result.r1 = false;
    }
  }

  @Actor
  public void closer() {
    chan.close();
  }

  @Arbiter
  public void rest(ZI_Result result) {
    result.r2 = chan.drain().size();
  }
}
