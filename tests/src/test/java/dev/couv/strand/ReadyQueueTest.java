// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is ready, in the order it came, however many there are and whoever is taken out of his turn.
final class ReadyQueueTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void itIsAsAQueueOfTheJdk(long seed) {
    Random random = new Random(seed);
    ReadyQueue queue = new ReadyQueue(OptionalLong.empty());
    ArrayDeque<Runnable> model = new ArrayDeque<>();
    for (int step = 0; step < 20_000; step++) {
      int growing = step % 4_000 < 1_000 ? 80 : 40; // fills up, and runs dry again
      if (random.nextInt(100) < growing) {
        Runnable task = new Object() {}::hashCode;
        queue.add(task);
        model.addLast(task);
      } else if (random.nextInt(10) > 0) {
        assertSame(model.pollFirst(), queue.poll());
      } else if (!model.isEmpty()) {
        List<Runnable> all = new ArrayList<>(model);
        Runnable chosen = all.get(random.nextInt(all.size()));
        assertEquals(model.remove(chosen), queue.remove(chosen));
        assertEquals(false, queue.remove(chosen));
      }
      assertEquals(model.size(), queue.size());
    }
  }

  @Test
  void whoWasThereAtAMomentHasRunWhenAllOfThemWereTaken() {
    ReadyQueue queue = new ReadyQueue(OptionalLong.empty());
    Runnable first = () -> {};
    queue.add(first);
    long moment = queue.added();
    queue.add(() -> {});

    assertEquals(false, queue.haveRun(moment));
    queue.remove(first);
    assertEquals(true, queue.haveRun(moment));
  }

  @Test
  void whereThereIsNobodyThereIsNone() {
    assertNull(new ReadyQueue(OptionalLong.empty()).poll());
    assertNull(new ReadyQueue(OptionalLong.of(1)).poll());
  }
}
