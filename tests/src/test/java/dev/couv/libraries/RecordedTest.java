// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.testing.InLoop;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// That the flight recorder sees a coroutine that is pinned, so that seeing none means something.
@Tag("loop-scheduled-engine")
@InLoop
class RecordedTest {
  private static final class Sleeping {
    static {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void aWaitInAStaticInitialiserIsSeen() throws Exception {
    MethodHandles.Lookup lookup = MethodHandles.lookup();

    List<String> pinned =
        Recorded.pinnedDuring(
            () -> Coroutine.spawn(() -> lookup.ensureInitialized(Sleeping.class)).await());

    assertEquals(1, pinned.size(), pinned::toString);
    assertTrue(pinned.getFirst().contains("Sleeping"), pinned::getFirst);
  }

  @Test
  void anOrdinaryWaitIsNot() throws Exception {
    assertEquals(List.of(), Recorded.pinnedDuring(() -> Thread.sleep(1)));
  }
}
