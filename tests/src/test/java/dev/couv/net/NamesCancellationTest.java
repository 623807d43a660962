// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.stream.Coroutines;
import dev.couv.testing.Behaviour;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Leaving lookups: the others are not disturbed, and what the system still brings is released.
final class NamesCancellationTest {
  /// A service by its name makes it a lookup of the system, also without a network.
  private static List<InetSocketAddress> look() throws Exception {
    return Names.resolve("127.0.0.1", "http");
  }

  /// Cancelled before they start, in flight, and later and later.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 10, 50})
  @Behaviour("TA119")
  void halfOfTenLookupsAreCancelledAndTheOthersResolve(int pauses) throws Exception {
    Loop.run(
        () -> {
          List<Coroutine<List<InetSocketAddress>>> lookups = new ArrayList<>();
          for (int i = 0; i < 10; i++) {
            lookups.add(Coroutine.spawn(NamesCancellationTest::look));
          }
          for (int i = 0; i < pauses; i++) {
            Coroutine.pause();
          }
          for (int i = 0; i < 10; i += 2) {
            lookups.get(i).cancel();
          }

          for (int i = 0; i < 10; i++) {
            Coroutine<List<InetSocketAddress>> lookup = lookups.get(i);
            try {
              assertEquals(80, lookup.await().getFirst().getPort());
            } catch (CancellationException left) {
              assertEquals(0, i % 2);
            }
          }
        });
  }

  @Test
  void aReverseLookupIsLeft() throws Exception {
    Loop.run(
        () -> {
          InetSocketAddress here = new InetSocketAddress("127.0.0.1", 80);
          var reverse = Coroutine.spawn(() -> Names.reverse(here));
          Coroutine.pause();
          reverse.cancel();

          assertThrows(CancellationException.class, reverse::await);
          assertFalse(look().isEmpty());
        });
  }

  @Test
  void aResumedLookupCanBeRepeatedAtOnce() throws Exception {
    Loop.run(
        () -> {
          var looking =
              Coroutine.spawn(
                  () -> {
                    Resumed resumed = assertThrows(Resumed.class, NamesCancellationTest::look);
                    assertEquals(List.of("now"), resumed.values());
                    return look();
                  });
          Coroutine.pause();
          looking.resume("now");

          assertFalse(looking.await().isEmpty());
        });
  }

  /// The addresses are there, and their coroutine has not run since.
  @Test
  void aLookupThatMeetsAResumeIsReleased() throws Exception {
    Loop.run(
        () -> {
          var looking =
              Coroutine.spawn(() -> assertThrows(Resumed.class, NamesCancellationTest::look));
          Coroutine.pause();
          Coroutines.pauseUntilReady(looking);
          looking.resume();

          assertTrue(looking.await().values().isEmpty());
        });
  }

  @Test
  void aCancelAfterTheAnswerComesTooLate() throws Exception {
    Loop.run(
        () -> {
          var looking = Coroutine.spawn(NamesCancellationTest::look);
          Coroutine.pause();
          Coroutines.pauseUntilReady(looking);
          looking.cancel();

          assertFalse(looking.await().isEmpty());
        });
  }

  @Test
  void aLoopThatEndsLeavesLookupsBehind() throws Exception {
    List<Coroutine<?>> lookups = new ArrayList<>();
    try (Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            for (int i = 0; i < 20; i++) {
              lookups.add(Coroutine.spawn(NamesCancellationTest::look));
            }
            return null;
          });
      loop.run(dev.couv.coro.Mode.STEP);
    }
    assertEquals(20, lookups.size());
  }
}
