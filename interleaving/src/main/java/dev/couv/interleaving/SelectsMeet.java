// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.coro.Await;
import dev.couv.sync.Chan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Two selects on two loops that could meet at either of two channels: they meet at one of them.
@JCStressTest
@Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "the second gave to the first")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the first gave to the second")
@State
public class SelectsMeet {
  private final Chan<Integer> one = Chan.create(0);
  private final Chan<Integer> other = Chan.create(0);

  @Actor
  public void first(II_Result result) {
    result.r1 = Looped.run(Looped.FIRST, () -> select(one, other, 1));
  }

  @Actor
  public void second(II_Result result) {
    result.r2 = Looped.run(Looped.SECOND, () -> select(other, one, 2));
  }

  /// What it received, or 0 if it has given.
  private static int select(Chan<Integer> in, Chan<Integer> out, int value) throws Exception {
    Object got = Await.<Object>select(in.receiving(), out.sending(value)).value();
    return got instanceof Integer received ? received : 0;
  }
}
