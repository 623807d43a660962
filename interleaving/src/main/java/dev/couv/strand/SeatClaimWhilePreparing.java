// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// A source gets its outcome while a wait is still asking: it can claim the seat, or the wait asks again
/// and finds it. Never both, never neither.
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "claimed")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "found by asking")
@State
public class SeatClaimWhilePreparing {
  private final WakerSeat seat = Wakers.seat();
  private volatile boolean there;

  public SeatClaimWhilePreparing() {
    seat.prepare(seat);
  }

  @Actor
  public void source(ZZ_Result result) {
    there = true;
    result.r1 = seat.claim();
  }

  @Actor
  public void waiter(ZZ_Result result) {
    do {
      if (there) {
        seat.shut();
        result.r2 = true;
        return;
      }
    } while (!seat.open());
  }
}
