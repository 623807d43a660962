// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.coro.Await;
import dev.couv.sync.Chan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A select on one loop, and a sender that does not wait at each of its channels: it takes one value, and
/// the other stays with its channel.
@JCStressTest
@Outcome(id = "1, 7, 1", expect = Expect.ACCEPTABLE, desc = "one value taken, the other left")
@State
public class SelectAndTwoSenders {
  private final Chan<Integer> one = Chan.create(1);
  private final Chan<Integer> other = Chan.create(1);

  @Actor
  public void select(III_Result result) {
    result.r2 =
        Looped.run(Looped.FIRST, () -> Await.select(one.receiving(), other.receiving()).value());
  }

  @Actor
  public void senders(III_Result result) {
    result.r1 = one.trySend(7) & other.trySend(7) ? 1 : 0;
  }

  @Arbiter
  public void rest(III_Result result) {
    result.r3 = one.drain().size() + other.drain().size();
  }
}
