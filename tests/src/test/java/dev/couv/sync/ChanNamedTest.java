// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.error.ClosedException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Channels that are found by their name.
class ChanNamedTest {
  @AfterEach
  void noNameIsLeft() {
    assertEquals(Set.of(), Chan.names());
  }

  @Test
  void oneNameIsOneChannel() throws Exception {
    try (Loops all = new Loops()) {
      all.loop(
          () -> {
            try (Chan<Integer> out = Chan.named("sums")) {
              for (int i = 1; i <= 4; i++) {
                out.send(i);
              }
            }
          });
      all.loop(
          () -> {
            try (Chan<Integer> in = Chan.named("sums")) {
              assertEquals(10, in.receive() + in.receive() + in.receive() + in.receive());
            }
          });
    }
  }

  @Test
  @Behaviour("CH01")
  void aNameIsNeeded() {
    assertThrows(NullPointerException.class, () -> Chan.named(null));
  }

  static List<String> names() {
    return List.of("", "\0", "a\0b", "\u00ff", "x".repeat(6 * 1024), "\ud83d\ude00");
  }

  @ParameterizedTest
  @MethodSource("names")
  @Behaviour("CH16")
  void anyStringIsAName(String name) {
    try (Chan<Integer> chan = Chan.named(name);
        Chan<Integer> other = Chan.named(name + "\0")) {
      assertEquals(name, chan.name());
      assertEquals(Set.of(name, name + "\0"), Chan.names());
      assertNull(other.tryReceive());
    }
  }

  @Test
  @Behaviour("CH17")
  void theNamesThatAreHeldAreListed() {
    List<Chan<Integer>> held = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      held.add(Chan.named("number " + i));
    }
    assertEquals(10, Chan.names().size());

    held.subList(0, 5).forEach(Chan::close);

    assertEquals(Set.of("number 5", "number 6", "number 7", "number 8", "number 9"), Chan.names());
    held.forEach(Chan::close);
  }

  @InLoop
  @Test
  void theLastHolderClosesIt() throws Exception {
    Chan<Integer> one = Chan.named("x");
    Chan<Integer> other = Chan.named("x");
    Coroutine<Integer> waiting = Coroutine.spawn(other::receive);
    Coroutine.pause();

    one.close();
    one.close();
    assertEquals(Set.of("x"), Chan.names());
    assertFalse(other.isClosed());
    assertEquals(1, other.stats().receivers());

    other.close();
    assertThrows(ClosedException.class, waiting::await);
  }

  @InLoop
  @Test
  @Behaviour("CH09")
  void aReleasedHolderCannotBeUsed() throws Exception {
    try (Chan<Integer> other = Chan.named("x")) {
      Chan<Integer> chan = Chan.named("x");
      Coroutine<?> sender = Coroutine.spawn(() -> other.send(1));
      Coroutine.pause();
      chan.close();
      chan.close();

      assertTrue(chan.isClosed());
      assertThrows(ClosedException.class, chan::receive);
      assertThrows(ClosedException.class, () -> chan.send(1));
      assertThrows(ClosedException.class, () -> chan.sync(Endpoint.ANY, 1));
      assertThrows(ClosedException.class, chan::tryReceive);
      assertThrows(ClosedException.class, () -> chan.receiving().await());
      assertEquals("x", chan.name());

      assertEquals(1, other.receive());
      sender.await();
    }
  }

  @InLoop
  @Test
  void closingAHolderWakesThoseWhoWaitThroughIt() throws Exception {
    try (Chan<Integer> other = Chan.named("x")) {
      Chan<Integer> chan = Chan.named("x");
      Coroutine<Integer> here = Coroutine.spawn(chan::receive);
      Coroutine<Integer> there = Coroutine.spawn(other::receive);
      Coroutine.pause();

      chan.close();

      assertThrows(ClosedException.class, here::await);
      other.send(1);
      assertEquals(1, there.await());
    }
  }

  @InLoop
  @Test
  void aCloseForAReasonClosesItForAllAndFreesTheName() throws Exception {
    Chan<Integer> one = Chan.named("x");
    Chan<Integer> other = Chan.named("x");
    Exception reason = new Exception("on purpose");
    one.close(reason);
    assertEquals(Set.of(), Chan.names());
    assertEquals(reason, assertThrows(ClosedException.class, other::receive).getCause());
    try (Chan<Integer> fresh = Chan.named("x")) {
      other.close();
      one.close();
      assertEquals(Set.of("x"), Chan.names());
      assertNull(fresh.tryReceive());
    }
  }

  @InLoop
  @Test
  void aHolderThatIsForgottenIsReleased() throws Exception {
    hold();
    Garbage.until(() -> Chan.names().isEmpty(), "the name is still held");
  }

  private static void hold() {
    assertEquals("forgotten", Chan.named("forgotten").name());
  }

  @Test
  void aNameIsTakenAndFreedFromManyThreads() throws Exception {
    try (Loops all = new Loops()) {
      for (int i = 0; i < 4; i++) {
        all.thread(
            () -> {
              for (int round = 0; round < 5000; round++) {
                try (Chan<Integer> chan = Chan.named("busy")) {
                  assertNull(chan.tryReceive());
                }
              }
            });
      }
    }
  }
}
