// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.net.TcpPair;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A coroutine that tries again and again what is refused at once must not keep the others waiting.
class StubbornCoroutineTest {
  /// More refusals than anybody may get in one turn.
  private static final int MANY = 10_000;

  private final AtomicBoolean othersRan = new AtomicBoolean();

  /// Whether others get a turn while it is refused again and again.
  private boolean isRefusedButPolite(Action refused, Class<? extends Throwable> by) {
    Coroutine.spawn(() -> othersRan.set(true));
    for (int i = 0; i < MANY && !othersRan.get(); i++) {
      try {
        refused.run();
        throw new AssertionError("not refused");
      } catch (Throwable thrown) {
        if (!by.isInstance(thrown)) {
          throw new AssertionError(thrown);
        }
      }
    }
    return othersRan.get();
  }

  static Stream<Arguments> awaits() {
    return Stream.of(
        await("sleep", () -> Time.sleep(Duration.ofHours(1))),
        await("offload", () -> Loop.offload(() -> 1)),
        await("pause", Coroutine::pause),
        await("halt", Coroutine::halt),
        await("yield", Coroutine::yield));
  }

  private static Arguments await(String name, Action await) {
    return Arguments.of(Named.of(name, await));
  }

  @ParameterizedTest
  @MethodSource("awaits")
  void awaitsOfACancelledOneLetOthersRun(Action await) throws Exception {
    AtomicBoolean polite = new AtomicBoolean();
    Loop.run(
        () -> {
          Coroutine<?> stubborn =
              Coroutine.spawn(
                  () -> {
                    assertThrows(Cancelled.class, Coroutine::halt);
                    polite.set(isRefusedButPolite(await, Cancelled.class));
                  });
          Coroutine.pause();
          stubborn.cancel();
          stubborn.await();
        });

    assertTrue(polite.get());
  }

  @InLoop
  @Test
  void readsOfAClosedStreamLetOthersRun() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().close();

      assertTrue(isRefusedButPolite(pair.client()::read, ClosedChannelException.class));
    }
  }
}
