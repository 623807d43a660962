// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Loop;
import dev.couv.sync.ResourcePlan;
import dev.couv.sync.Resources;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.lang.reflect.Executable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Times that are none, or longer than any clock can count: each is taken for what it says, or refused.
@SuppressWarnings("try") // what it closes may wait, and throw what failed
class DurationsTest {
  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

  private static final List<Duration> HOSTILE =
      List.of(
          Duration.ofSeconds(Long.MIN_VALUE),
          Duration.ofNanos(-1),
          Duration.ZERO,
          Duration.ofNanos(1),
          Duration.ofNanos(Long.MAX_VALUE / 2 + 1),
          Duration.ofNanos(Long.MAX_VALUE),
          Duration.ofNanos(Long.MAX_VALUE).plusNanos(1),
          LONGEST);

  private int tried;

  @Test
  void areTakenOrRefusedByEveryPublicCall() throws Exception {
    List<String> problems = new ArrayList<>();
    for (Class<?> type : PublicApi.types()) {
      for (Executable call : PublicApi.calls(type)) {
        int parameter = List.of(call.getParameterTypes()).indexOf(Duration.class);
        for (Duration hostile : parameter < 0 ? List.<Duration>of() : HOSTILE) {
          Throwable thrown = thrownInALoop(type, call, Map.of(parameter, hostile));
          boolean fine =
              thrown == null
                  || thrown instanceof IllegalArgumentException
                  || thrown instanceof TimeoutException
                  || thrown instanceof Cancelled; // it waited until the end of the test's hour
          if (!fine) {
            problems.add(call + " with " + hostile + ": " + thrown);
          }
          tried++;
        }
      }
    }

    assertEquals("", String.join("\n", problems));
    assertTrue(tried > 10 * HOSTILE.size(), () -> "only " + tried + " were tried");
  }

  private static Throwable thrownInALoop(
      Class<?> type, Executable call, Map<Integer, Object> arguments) {
    try {
      return Loop.run(
          new TestClock().options(),
          () ->
              Time.timeout(
                  Duration.ofHours(1),
                  () -> {
                    try (PublicApi api = new PublicApi()) {
                      return api.call(type, call, arguments);
                    }
                  }));
    } catch (Exception | Error thrown) {
      return thrown;
    }
  }

  @Test
  void ofAPoolOfResourcesAreRefusedIfTheyAreTooLong() {
    ResourcePlan<Object> plan = Resources.of(Object::new);

    assertThrows(IllegalArgumentException.class, () -> plan.breakAfter(1, LONGEST));
    assertThrows(IllegalArgumentException.class, () -> plan.checkEvery(LONGEST));
    assertThrows(IllegalArgumentException.class, () -> plan.idleAtMost(LONGEST));
  }
}
