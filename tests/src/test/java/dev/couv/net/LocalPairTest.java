// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

final class LocalPairTest {
  @InLoop
  @Test
  void whatOneEndWritesTheOtherReads() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      pair.first().write(UTF_8.encode("there"));
      pair.second().write(UTF_8.encode("and back"));

      assertEquals("there", UTF_8.decode(pair.second().read()).toString());
      assertEquals("and back", UTF_8.decode(pair.first().read()).toString());
      assertEquals("", pair.first().local().toString());
      assertEquals("", pair.first().remote().toString());
    }
  }

  @InLoop
  @Test
  void endOfOneIsTheEndForTheOther() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      pair.first().shutdown();

      assertNull(pair.second().read());
      assertEquals(-1, pair.second().read(ByteBuffer.allocate(1)));
      pair.first().close();
      assertFalse(pair.first().isOpen());
    }
  }

  @InLoop
  @Test
  void timeoutLosesNothing() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      ByteBuffer buffer = ByteBuffer.allocate(10);
      assertThrows(
          TimeoutException.class,
          () -> Time.timeout(Duration.ofMillis(1), () -> pair.first().read(buffer)));

      pair.second().write(UTF_8.encode("late"));

      assertEquals(4, pair.first().read(buffer));
    }
  }

  @Test
  void outsideACoroutineThereIsNone() {
    assertThrows(IllegalStateException.class, LocalStream::pair);
  }
}
