// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.FreshJvm;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a channel holds, in the order it came, also where there is no memory for more.
final class HeldValuesTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void theyAreAsAQueueOfTheJdk(long seed) {
    Random random = new Random(seed);
    HeldValues<Integer> values = new HeldValues<>();
    ArrayDeque<Integer> model = new ArrayDeque<>();
    for (int step = 0; step < 20_000; step++) {
      int growing = step % 4_000 < 1_000 ? 80 : 40; // fills up, and runs dry again
      if (random.nextInt(100) < growing) {
        values.add(step);
        model.addLast(step);
      } else {
        assertEquals(model.pollFirst(), values.poll());
      }
      assertEquals(model.isEmpty(), values.isEmpty());
    }
  }

  @Tag("jvm")
  @Test
  void aChannelThatFindsNoMemoryLosesNothing() throws Exception {
    assertEquals(
        List.of("refused", "the first is first", "as many as were sent", "it goes on"),
        FreshJvm.run(FullChanProgram.class, "-Xmx32m"));
  }
}
