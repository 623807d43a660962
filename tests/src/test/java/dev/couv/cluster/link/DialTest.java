// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.cluster.ClusterOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How long a process waits before it tries a server again.
@Tag("loop-scheduled-engine") // it does not depend on the engine
public class DialTest {
  private static final ClusterOptions OPTIONS =
      ClusterOptions.DEFAULT
          .withBackoff(Duration.ofMillis(100))
          .withLongestBackoff(Duration.ofSeconds(2));

  @Test
  public void theWaitsBetweenAttemptsGrowToTheLongest() {
    List<Long> most = List.of(100L, 200L, 400L, 800L, 1600L, 2000L, 2000L);

    for (int round = 1; round <= most.size(); round++) {
      long bound = most.get(round - 1);
      for (int i = 0; i < 100; i++) {
        Duration delay = Dial.delay(OPTIONS, round);
        assertTrue(delay.toMillis() >= bound / 2, delay::toString);
        assertTrue(delay.compareTo(Duration.ofMillis(bound)) <= 0, delay::toString);
      }
    }
  }

  /// Those who lost a server together do not come back together.
  @Test
  public void noTwoWaitTheSame() {
    long different =
        IntStream.range(0, 100).mapToObj(i -> Dial.delay(OPTIONS, 4)).distinct().count();

    assertTrue(different > 90, () -> different + " of 100");
  }

  @Test
  public void afterVeryManyAttemptsItIsStillTheLongest() {
    for (long round : new long[] {40, 63, 64, 1000, Long.MAX_VALUE}) {
      Duration delay = Dial.delay(OPTIONS.withBackoff(Duration.ofSeconds(1)), round);
      assertTrue(delay.toMillis() >= 1000 && delay.toMillis() <= 2000, delay::toString);
    }
  }
}
