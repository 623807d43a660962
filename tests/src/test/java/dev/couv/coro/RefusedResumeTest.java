// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.testing.InLoop;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Several resumes in a row that cannot wait: whom they concern runs later.
@Tag("loop-scheduled-engine")
class RefusedResumeTest {
  private static final List<Object> LOG = new ArrayList<>();
  private static Coroutine<?> created;
  private static Coroutine<?> queued;

  private static final class Resuming {
    static {
      assertThrows(IllegalStateException.class, () -> created.resume());
      assertThrows(IllegalStateException.class, () -> queued.resume());
    }
  }

  @InLoop
  @Test
  void nobodyIsLostWhenAQueuedOneIsResumedAfterANewOne() throws Exception {
    created = Coroutine.create(() -> LOG.add("created"));
    queued = Coroutine.spawn(() -> LOG.add("queued"));

    MethodHandles.lookup().ensureInitialized(Resuming.class);
    Coroutine.pause();
    Coroutine.pause();

    assertEquals(2, LOG.size(), LOG::toString);
    assertEquals(Status.DONE, created.status());
    assertEquals(Status.DONE, queued.status());
  }
}
