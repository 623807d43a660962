// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimerQueueTest {
  private final TimerQueue queue = new TimerQueue();

  @Test
  void nothingIsDueInAnEmptyQueue() {
    assertTrue(queue.isEmpty());
    assertNull(queue.pollDue(Long.MAX_VALUE));
    assertThrows(AssertionError.class, queue::nextDeadline);
  }

  @Test
  void anEntryIsDueAtItsMomentAndNotBefore() {
    Entry entry = new Entry();
    queue.add(entry, 100);

    assertNull(queue.pollDue(99));
    assertTrue(entry.isQueued());
    assertSame(entry, queue.pollDue(100));
    assertFalse(entry.isQueued());
    assertEquals(100, entry.deadline());
    assertTrue(queue.isEmpty());
  }

  @Test
  void entriesOfTheSameMomentComeInTheOrderTheyWereAdded() {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Entry entry = new Entry();
      entries.add(entry);
      queue.add(entry, 7);
    }

    for (Entry entry : entries) {
      assertSame(entry, queue.pollDue(7));
    }
  }

  @Test
  void anEntryIsQueuedOnce() {
    Entry entry = new Entry();
    queue.add(entry, 1);

    assertThrows(AssertionError.class, () -> queue.add(entry, 2));
    assertEquals(1, queue.size());
  }

  @Test
  void anEntryThatLeftCanBeAddedAgain() {
    Entry entry = new Entry();
    queue.add(entry, 1);

    assertTrue(queue.remove(entry));
    assertFalse(queue.remove(entry));
    queue.add(entry, 2);

    assertEquals(2, queue.nextDeadline());
  }

  /// As a clock may start anywhere and wrap around, so do the deadlines.
  @ParameterizedTest
  @ValueSource(longs = {0, 1_000_000, Long.MAX_VALUE - 5_000, -5_000, Long.MIN_VALUE})
  void randomOperationsAgreeWithASortedList(long start) {
    Random random = new Random(20251115 + start);
    List<Entry> model = new ArrayList<>();
    long now = start;

    for (int i = 0; i < 20_000; i++) {
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3, 4 -> {
          Entry entry = new Entry();
          queue.add(entry, now + random.nextInt(500) - 20);
          model.add(entry);
        }
        case 5, 6 -> {
          if (!model.isEmpty()) {
            Entry entry = model.remove(random.nextInt(model.size()));
            assertTrue(queue.remove(entry));
          }
        }
        default -> {
          now += random.nextInt(20);
          Entry first = firstOf(model);
          TimerEntry due = queue.pollDue(now);
          if (first != null && first.deadline() - now <= 0) {
            assertSame(first, due);
            model.remove(first);
          } else {
            assertNull(due);
          }
        }
      }
      assertEquals(model.size(), queue.size());
      if (!model.isEmpty()) {
        assertEquals(firstOf(model).deadline(), queue.nextDeadline());
      }
    }
    while (!model.isEmpty()) {
      Entry first = firstOf(model);
      model.remove(first);
      assertSame(first, queue.pollDue(first.deadline()));
    }
    assertTrue(queue.isEmpty());
  }

  /// The list is in the order of adding, and the first of the smallest is taken.
  private static Entry firstOf(List<Entry> model) {
    return model.stream()
        .min(Comparator.comparing(Entry::deadline, (a, b) -> Long.signum(a - b)))
        .orElse(null);
  }

  private static final class Entry extends TimerEntry {
    @Override
    protected void due() {}
  }
}
