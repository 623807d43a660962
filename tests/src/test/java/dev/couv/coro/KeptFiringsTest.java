// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.testing.InLoop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// An event that keeps what nobody took keeps it in the order it happened.
@InLoop
class KeptFiringsTest {
  private static final class Kept extends Emitter<Integer> {
    @Override
    protected boolean keeps() {
      return true;
    }
  }

  private final List<Object> log = new ArrayList<>();

  private void take(Event<Integer> event) throws Exception {
    try {
      log.add(event.await());
    } catch (Resumed left) {
      log.add("left");
    }
  }

  @Test
  void whatOneLeavesBehindIsTheNextToBeTold() throws Exception {
    try (Kept event = new Kept()) {
      var first = Coroutine.spawn(() -> take(event));
      Coroutine.pause();
      event.fireOnLoop(1, null);
      var second = Coroutine.create(() -> take(event));
      second.resume();
      event.fireOnLoop(2, null);
      event.fireOnLoop(3, null);

      first.resume();
      second.cancel(); // too late: it has been told
      Coroutine.pause();

      assertEquals(List.of("left", 2), log);
      assertEquals(1, event.await());
      assertEquals(3, event.await());
    }
  }

  @Test
  void whatTwoLeaveBehindKeepsItsOrder() throws Exception {
    try (Kept event = new Kept()) {
      var first = Coroutine.spawn(() -> take(event));
      Coroutine.pause();
      event.fireOnLoop(1, null);
      var second = Coroutine.create(() -> take(event));
      second.resume();
      event.fireOnLoop(2, null);
      event.fireOnLoop(3, null);

      first.resume();
      second.resume();

      assertEquals(List.of("left", "left"), log);
      assertEquals(1, event.await());
      assertEquals(2, event.await());
      assertEquals(3, event.await());
    }
  }

  @Test
  void whatAWaitForAllLeavesBehindKeepsItsOrder() throws Exception {
    try (Kept event = new Kept();
        Kept never = new Kept()) {
      event.fireOnLoop(1, null);
      event.fireOnLoop(2, null);
      event.fireOnLoop(3, null);
      var all = Coroutine.spawn(() -> Await.all(event, event, never));
      Coroutine.pause();

      all.cancel();
      Coroutine.pause();

      assertEquals(1, event.await());
      assertEquals(2, event.await());
      assertEquals(3, event.await());
    }
  }
}
