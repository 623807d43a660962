// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Two sources of one select have something: one of them wins it.
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the first")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the second")
@State
public class SeatTwoClaims {
  private final WakerSeat one = Wakers.seat();
  private final WakerSeat other = Wakers.seat();

  public SeatTwoClaims() {
    one.prepare(one);
    other.prepare(one);
    one.open();
  }

  @Actor
  public void first(ZZ_Result result) {
    result.r1 = one.claim();
  }

  @Actor
  public void second(ZZ_Result result) {
    result.r2 = other.claim();
  }
}
