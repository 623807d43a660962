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
import org.openjdk.jcstress.infra.results.ZII_Result;

/// A sender, a receiver and a close at once: a value that was given is received or left, once; one that
/// was not is nowhere.
@JCStressTest
@Outcome(id = "true, 1, 0", expect = Expect.ACCEPTABLE, desc = "given and received")
@Outcome(id = "true, 0, 1", expect = Expect.ACCEPTABLE, desc = "given and left")
@Outcome(id = "false, 0, 0", expect = Expect.ACCEPTABLE, desc = "refused")
@State
public class ChanSendTakeClose {
  private final Chan<Integer> chan = Chan.create(1);

  @Actor
  public void sender(ZII_Result result) {
    try {
      result.r1 = chan.trySend(7);
    } catch (ClosedException closed) {
      result.r1 = false;
    }
  }

  @Actor
  public void receiver(ZII_Result result) {
    try {
      result.r2 = chan.tryReceive() == null ? 0 : 1;
    } catch (ClosedException closed) {
      result.r2 = 0;
    }
  }

  @Actor
  public void closer() {
    chan.close();
  }

  @Arbiter
  public void rest(ZII_Result result) {
    result.r3 = chan.drain().size();
  }
}
