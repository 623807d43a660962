// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.stream.ByteStream;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A [TlsFuzz], short here; `tools/tls-fuzz` runs it for minutes, and looks at memory and turns more
/// closely. `-Dcouv.seed` makes it another, or the same again.
@Tag("storm")
final class TlsFuzzTest {
  private static final long SEED = Long.getLong("couv.seed", System.nanoTime());

  @Test
  void hostileBytesEndInAnIOExceptionAndCostLittle() throws Exception {
    new TlsFuzz(SEED, Duration.ofSeconds(5)).run(150);
  }

  // ---- so that the fuzz is known to see what it looks for

  private static void assertFails(String why, TlsFuzz planted) {
    AssertionError failure = assertThrows(AssertionError.class, () -> planted.run(20));
    assertTrue(failure.getMessage().contains(why), failure.getMessage());
  }

  @Test
  void aFailureThatIsNoIOExceptionIsSeen() throws Exception {
    assertFails(
        "planted",
        new TlsFuzz(SEED, Duration.ofSeconds(5)) {
          @Override
          void attacked(ByteStream transport, boolean isServer, String version) {
            throw new IllegalArgumentException("planted");
          }
        });
  }

  @Test
  void whoWaitsForEverIsSeen() throws Exception {
    assertFails(
        "waits for ever",
        new TlsFuzz(SEED, Duration.ofSeconds(5)) {
          @Override
          void attacked(ByteStream transport, boolean isServer, String version) {
            Coroutine.halt();
          }
        });
  }

  @Test
  @Tag("loop-scheduled-engine")
  void aLongTurnIsSeen() throws Exception {
    assertFails(
        "of the loop's thread",
        new TlsFuzz(SEED, Duration.ofMillis(100)) {
          @Override
          void attacked(ByteStream transport, boolean isServer, String version) {
            long end = System.nanoTime() + 1_000_000_000L;
            while (System.nanoTime() < end) {
              Thread.onSpinWait();
            }
          }
        });
  }
}
