// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Pause;

/// The wait of a coroutine that sleeps.
final class SleepOperation extends Pause {
  SleepOperation(EventLoop loop, long until) {
    super(loop, until);
  }

  @Override
  public String toString() {
    return "Time.sleep until " + loop.instant(until);
  }
}
