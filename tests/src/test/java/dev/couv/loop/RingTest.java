// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RingTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void theyAreAsAQueueOfTheJdk(long seed) {
    Random random = new Random(seed);
    Ring<Integer> values = new Ring<>();
    ArrayDeque<Integer> model = new ArrayDeque<>();
    for (int step = 0; step < 20_000; step++) {
      int growing = step % 4_000 < 1_000 ? 80 : 40; // fills up, and runs dry again
      if (random.nextInt(100) < growing) {
        values.add(step);
        model.addLast(step);
      } else {
        assertEquals(model.pollFirst(), values.poll());
      }
      assertEquals(model.size(), values.size());
      assertEquals(model.isEmpty(), values.isEmpty());
    }
  }
}
