// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// A wait for a partner who does not come: the row is about channels, which do not exist yet; an event
/// that nobody fires is the same wait. Whoever leaves it is forgotten, and free for anything else.
@InLoop
@Behaviour("OP17")
class UnmatchedWaitTest {
  private final List<Object> log = new ArrayList<>();

  /// Counts who has it started, which is who waits.
  private static final class Partner extends Emitter<String> {
    private boolean awaited;

    @Override
    protected void onStart() {
      awaited = true;
    }

    @Override
    protected void onStop() {
      awaited = false;
    }
  }

  private void waitFor(Partner partner) throws Exception {
    try {
      log.add(partner.await());
    } catch (Resumed by) {
      log.add(by.values());
    }
  }

  @Test
  void oneWhoIsResumedIsRemoved() throws Exception {
    Partner partner = new Partner();
    Coroutine<?> waiting = Coroutine.spawn(() -> waitFor(partner));
    Coroutine.pause();

    waiting.resume("enough");
    partner.fire("too late", null);

    assertFalse(partner.awaited);
    assertEquals(List.of(List.of("enough")), log);
  }

  @Test
  void oneWhoIsResumedTwiceIsRemovedTwice() throws Exception {
    Partner first = new Partner();
    Partner second = new Partner();
    Coroutine<?> waiting =
        Coroutine.spawn(
            () -> {
              waitFor(first);
              waitFor(second);
            });
    Coroutine.pause();

    waiting.resume(1);
    waiting.resume(2);

    assertFalse(first.awaited || second.awaited);
    assertEquals(List.of(List.of(1), List.of(2)), log);
  }

  @Test
  void oneWhoIsResumedCanSleepAtOnce() throws Exception {
    Partner partner = new Partner();
    Coroutine<?> waiting =
        Coroutine.spawn(
            () -> {
              waitFor(partner);
              Time.sleep(Duration.ofMillis(1));
              log.add("slept");
            });
    Coroutine.pause();

    waiting.resume();
    waiting.await();

    assertFalse(partner.awaited);
    assertEquals(List.of(List.of(), "slept"), log);
  }

  @Test
  void oneWhoIsCancelledIsRemovedAndTheNextIsServed() throws Exception {
    Partner partner = new Partner();
    Coroutine<?> cancelled = Coroutine.spawn(() -> waitFor(partner));
    Coroutine<?> next = Coroutine.spawn(() -> waitFor(partner));
    Coroutine.pause();

    cancelled.cancel();
    partner.fire("here", null);
    next.await();

    assertThrows(CancellationException.class, cancelled::await);
    assertEquals(List.of("here"), log);
  }
}
