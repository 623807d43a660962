// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// A source claims a seat while its wait is cancelled: it has it, or the wait is over.
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "claimed: too late to cancel")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "cancelled: the source keeps it")
@State
public class SeatClaimAndShut {
  private final WakerSeat seat = Wakers.seat();

  public SeatClaimAndShut() {
    seat.prepare(seat);
    seat.open();
  }

  @Actor
  public void source(ZZ_Result result) {
    result.r1 = seat.claim();
  }

  @Actor
  public void canceller(ZZ_Result result) {
    result.r2 = seat.shut();
  }
}
