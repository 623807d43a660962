// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Waiting in a queue without coroutines: who is served, and when.
class WaitQueueTest {
  private final List<String> told = new ArrayList<>();
  private final Coins coins = new Coins();

  private static final class Coins extends WaitQueue<Integer> {
    private int left;

    @Override
    protected boolean isReady(Integer want) {
      return want <= left;
    }

    @Override
    protected void take(Integer want) {
      left -= want;
    }

    @Override
    protected void putBack(Integer want) {
      left += want;
    }

    @Override
    protected String describe(Integer want) {
      return want + " coins";
    }

    void add(int more) {
      left += more;
      serve();
    }
  }

  /// Starts to wait; it must not be served at once.
  private Operation waits(String name, int want) {
    Operation waiting = coins.waiting(want);
    assertFalse(waiting.start(waiter(name)));
    return waiting;
  }

  private Waiter waiter(String name) {
    return new Waiter() {
      @Override
      public Slot slot() {
        throw new AssertionError("nothing native here");
      }

      @Override
      public void completed() {
        told.add(name);
      }
    };
  }

  @Test
  void theOldestIsNotOvertakenByOneWhoWantsLess() {
    waits("many", 3);
    waits("few", 1);

    coins.add(2);
    assertEquals(List.of(), told);
    assertFalse(coins.tryTake(1));
    coins.add(2);

    assertEquals(List.of("many", "few"), told);
    assertEquals(0, coins.left);
  }

  @Test
  void whatIsHandedOverIsNobodyElses() {
    waits("first", 1);

    coins.add(1);

    assertFalse(coins.tryTake(1));
    assertTrue(coins.isEmpty());
  }

  @Test
  void whoLeavesMakesWay() {
    Operation many = waits("many", 3);
    waits("few", 1);
    coins.add(1);

    many.cancel();

    assertEquals(List.of("few"), told);
  }

  @Test
  void whatWasServedAndNotTakenIsTheNextOnes() {
    Operation first = waits("first", 1);
    waits("second", 1);
    coins.add(1);

    first.surrender();

    assertEquals(List.of("first", "second"), told);
    assertEquals(0, coins.left);
  }

  @Test
  void aTurnGoesFromOneToTheNext() {
    Turns turns = new Turns("a stream");
    assertNull(turns.ask("write to"));
    Operation waiting = turns.ask("write to");
    assertNotNull(waiting);
    assertEquals("its turn to write to a stream", waiting.toString());
    assertFalse(waiting.start(waiter("next")));

    turns.pass();
    assertEquals(List.of("next"), told);
    assertFalse(turns.isFree());
    turns.pass();

    assertTrue(turns.isFree());
  }
}
