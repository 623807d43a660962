// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What is remembered of files, for how long, and how much of it.
@InLoop
class WarmFilesTest {
  @Test
  void whatIsRecentIsSoForASecond(TestClock clock) {
    var recent = new WarmFiles.Recent<String, String>();
    recent.put("a", "b");

    Time.sleep(Duration.ofMillis(999));
    assertEquals("b", recent.get("a"));
    Time.sleep(Duration.ofMillis(1));
    assertNull(recent.get("a"));

    recent.put("a", "c");
    assertEquals("c", recent.get("a"));
  }

  @Test
  void theOldestGoes() {
    var recent = new WarmFiles.Recent<Integer, Integer>();
    for (int i = 0; i <= WarmFiles.MOST; i++) {
      recent.put(i, i);
    }

    assertNull(recent.get(0));
    assertEquals(1, recent.get(1));
    assertEquals(WarmFiles.MOST, recent.get(WarmFiles.MOST));
  }
}
