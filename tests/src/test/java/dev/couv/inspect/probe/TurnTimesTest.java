// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Turn times, counted.
class TurnTimesTest {
  private final TurnTimes times = new TurnTimes();

  @Test
  void nothingIsNothing() {
    assertEquals(0, times.averageNanos());
    assertEquals(0, times.p99Nanos());
    assertEquals(0, times.longestNanos());
  }

  @Test
  void oneOfAHundredMayBeLonger() {
    for (int turn = 0; turn < 99; turn++) {
      times.add(1000);
    }
    times.add(1_000_000);

    assertThat(times.p99Nanos()).isBetween(1000L, 1125L);
    assertEquals(1_000_000, times.longestNanos());
    assertEquals((99 * 1000 + 1_000_000) / 100, times.averageNanos());
  }

  @Test
  void twoOfAHundredMayNot() {
    for (int turn = 0; turn < 98; turn++) {
      times.add(1000);
    }
    times.add(1_000_000);
    times.add(2_000_000);

    assertThat(times.p99Nanos()).isBetween(1_000_000L, 1_125_000L);
  }

  @Test
  void thoseOfOthersAreAdded() {
    times.add(10);
    TurnTimes others = new TurnTimes();
    others.add(30);
    others.add(20);
    times.add(others);

    assertEquals(20, times.averageNanos());
    assertEquals(30, times.longestNanos());
    assertEquals(30, times.p99Nanos());
  }

  @ParameterizedTest
  @ValueSource(longs = {-5, 0, 1, 15, 16, 17, 255, 256, 1_000_003, 1L << 40})
  void whatMostTookIsToldToAnEighth(long time) {
    for (int turn = 0; turn < 100; turn++) {
      times.add(time);
    }
    times.add(Long.MAX_VALUE);

    long told = Math.max(0, time);
    assertThat(times.p99Nanos()).isBetween(told, told + told / 8);
  }
}
