// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A [PoolStorm], small here; `tools/storm` runs all of it: eight loops, a thousand coroutines for each, a
/// million values. `-Dcouv.seed` makes it another, or the same again.
class PoolStormTest {
  private static final int VALUES = Integer.getInteger("couv.stress", 20_000);
  private static final int COROUTINES = Integer.getInteger("couv.stress.coroutines", 20);
  private static final long SEED = Long.getLong("couv.seed", System.nanoTime());

  @Test
  void everyValueIsReceivedOnceOrReportedUndelivered() {
    PoolStorm storm = new PoolStorm(VALUES, COROUTINES, SEED);
    boolean passed = false;
    try {
      storm.run();
      passed = true;
    } finally {
      if (!passed || VALUES >= 100_000) {
        System.out.println("storm: " + storm);
      }
    }
  }

  /// So that the storm is known to see what it looks for.
  @Test
  void aStormInWhichAValueIsLostFails() {
    assertThrows(
        AssertionError.class,
        new PoolStorm(4_000, 5, SEED) {
              private boolean lost;

              @Override
              synchronized void received(int value) {
                if (lost) {
                  super.received(value);
                }
                lost = true;
              }
            }
            ::run);
  }

  @Test
  void aStormInWhichAValueIsReceivedTwiceFails() {
    assertThrows(
        AssertionError.class,
        new PoolStorm(4_000, 5, SEED) {
              private boolean twice;

              @Override
              synchronized void received(int value) {
                super.received(value);
                if (!twice) {
                  super.received(value);
                }
                twice = true;
              }
            }
            ::run);
  }

  @Test
  void aStormThatKeepsMemoryFails() {
    List<byte[]> kept = new ArrayList<>();
    assertThrows(
        AssertionError.class,
        new PoolStorm(4_000, 5, SEED) {
              @Override
              void disturbed() {
                kept.add(new byte[1 << 20]);
              }
            }
            ::run);
  }
}
