// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A coroutine that receives on one loop is met by a sender of another loop, and is cancelled, and the
/// channel is closed: the value is received, or left, or was never given.
@JCStressTest
@Outcome(id = "1, 7, 0", expect = Expect.ACCEPTABLE, desc = "received")
@Outcome(id = "1, -1, 1", expect = Expect.ACCEPTABLE, desc = "cancelled, and the value is left")
@Outcome(id = "0, -1, 0", expect = Expect.ACCEPTABLE, desc = "cancelled, and it was closed")
@Outcome(id = "0, -3, 0", expect = Expect.ACCEPTABLE, desc = "closed before anything came")
@State
public class ReceiveCancelled {
  private final Chan<Integer> chan = Chan.create(1);

  @Actor
  public void receiver(III_Result result) {
    result.r2 =
        Looped.run(
            Looped.FIRST,
            () -> {
              Coroutine<Integer> receiving = Coroutine.spawn(this::receive);
              Coroutine.pause();
              receiving.cancel();
              return Coroutine.protect(receiving::await);
            });
  }

  private int receive() {
    try {
      return chan.receive();
    } catch (ClosedException closed) {
      return -3;
    } catch (Cancelled cancelled) {
      return -1;
    }
  }

  @Actor
  public void sender(III_Result result) {
    result.r1 = Looped.run(Looped.SECOND, this::send);
  }

  private int send() {
    try {
      return chan.trySend(7) ? 1 : 0;
    } catch (ClosedException closed) {
      return 0;
    }
  }

  @Actor
  public void closer() {
    chan.close();
  }

  @Arbiter
  public void rest(III_Result result) {
    result.r3 = chan.drain().size();
  }
}
