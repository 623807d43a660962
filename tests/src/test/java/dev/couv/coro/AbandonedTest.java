// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.loop.EventLoop;
import dev.couv.strand.Strand;
import dev.couv.testing.InLoop;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class AbandonedTest {
  /// The handle by which it is held when the loop hears that nobody held the first one.
  private Coroutine<?> kept;

  @InLoop
  @Test
  void oneThatIsHeldAgainIsNotCancelled() throws Exception {
    resumeAndLetGo();
    while (kept == null) {
      Coroutine.pause();
    }
    while (events().hasPosted()) {
      Coroutine.pause();
    }

    assertEquals(Status.SUSPENDED, kept.status());
    assertEquals("went on", kept.resume());
  }

  private void resumeAndLetGo() throws Exception {
    WeakReference<?>[] first = new WeakReference<?>[1];
    Coroutine<?> generator =
        Coroutine.create(
            () -> {
              Coroutine.pause(); // until nobody holds it
              while (!first[0].refersTo(null)) {
                System.gc();
              }
              while (!events().hasPosted()) {
                Thread.onSpinWait(); // the loop is being told
              }
              kept = Coroutine.current();
              Coroutine.yield();
              return "went on";
            });
    first[0] = new WeakReference<Coroutine<?>>(generator);
    generator.resume();
  }

  private static EventLoop events() {
    return Strand.current("events").scheduler().events();
  }
}
