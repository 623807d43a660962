// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Wrong on purpose: a claim that looks before it takes, without an atomic step. Both may win. If that is
/// never seen, the other tests here prove nothing.
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the first won")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the second won")
@Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "both won: planted")
@State
public class PlantedRace {
  private volatile boolean taken;

  private boolean claim() {
    if (taken) {
      return false;
    }
    for (int i = 0; i < 50; i++) {
      Thread.onSpinWait(); // wide enough for a busy machine
    }
    taken = true;
    return true;
  }

  @Actor
  public void first(ZZ_Result result) {
    result.r1 = claim();
  }

  @Actor
  public void second(ZZ_Result result) {
    result.r2 = claim();
  }
}
