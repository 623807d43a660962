// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A [PoolStorm], small here; `tools/storm` runs all of it: eight loops, a thousand coroutines for each, a
/// million values. `-Dcouv.seed` makes it another, or the same again.
@Tag("storm")
class PoolStormTest {
  private static final int VALUES = Integer.getInteger("couv.stress", 10_000);
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

  // ---- so that the storm is known to see what it looks for

  @Test
  void aStormInWhichAValueIsLostFails() {
    assertFails(
        "expected: <1> but was: <0>",
        new PoolStorm(2_000, 5, SEED) {
          private boolean lost;

          @Override
          synchronized void received(int value) {
            if (lost) {
              super.received(value);
            }
            lost = true;
          }
        });
  }

  @Test
  void aStormInWhichAValueIsReceivedTwiceFails() {
    assertFails(
        "expected: <1> but was: <2>",
        new PoolStorm(2_000, 5, SEED) {
          private boolean twice;

          @Override
          synchronized void received(int value) {
            super.received(value);
            if (!twice) {
              super.received(value);
            }
            twice = true;
          }
        });
  }

  @Test
  void aStormThatKeepsMemoryFails() {
    List<byte[]> kept = new ArrayList<>();
    assertFails(
        "on the heap",
        new PoolStorm(2_000, 5, SEED) {
          @Override
          void disturbed() {
            kept.add(new byte[2 << 20]);
          }
        });
  }

  private static void assertFails(String expected, PoolStorm storm) {
    AssertionError failure = assertThrows(AssertionError.class, storm::run);
    assertTrue(failure.getMessage().contains(expected), failure::getMessage);
  }
}
