// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.UvException;
import dev.couv.stream.Coroutines;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RandomTest {
  @InLoop
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 65536, 200_000})
  void fillsABufferOfAnyKind(int size) throws Exception {
    for (ByteBuffer buffer :
        new ByteBuffer[] {ByteBuffer.allocate(size + 2), ByteBuffer.allocateDirect(size + 2)}) {
      buffer.position(1).limit(size + 1);

      Info.random(buffer);

      assertFalse(buffer.hasRemaining());
      buffer.clear();
      assertEquals(0, buffer.get(0) | buffer.get(size + 1));
      assertMixed(buffer);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 200_000})
  void fillsABufferAtOnceOutsideOfACoroutineToo(int size) throws Exception {
    ByteBuffer buffer = ByteBuffer.allocate(size);
    Info.randomNow(buffer);
    assertFalse(buffer.hasRemaining());
    assertMixed(buffer.clear());
  }

  private static void assertMixed(ByteBuffer buffer) {
    if (buffer.capacity() > 50) {
      BitSet seen = new BitSet();
      while (buffer.hasRemaining()) {
        seen.set(buffer.get() & 0xff);
      }
      assertTrue(seen.cardinality() > 20, seen::toString);
    }
  }

  @Test
  void misuseIsRefused() throws Exception {
    assertThrows(IllegalStateException.class, () -> Info.random(ByteBuffer.allocate(1)));
    ByteBuffer readOnly = ByteBuffer.allocate(1).asReadOnlyBuffer();
    assertThrows(IllegalArgumentException.class, () -> Info.randomNow(readOnly));
    Loop.run(() -> assertThrows(IllegalArgumentException.class, () -> Info.random(readOnly)));
  }

  @InLoop
  @Test
  void oneWhoLeavesTakesTheBufferAlong() throws Exception {
    ByteBuffer buffer = ByteBuffer.allocate(64);
    Coroutine<Void> cancelled = Coroutine.spawn(() -> Info.random(buffer));
    Coroutine<Resumed> resumed =
        Coroutine.spawn(() -> assertThrows(Resumed.class, () -> Info.random(buffer)));
    Coroutine<Resumed> late =
        Coroutine.spawn(() -> assertThrows(Resumed.class, () -> Info.random(buffer)));
    Coroutine.pause();
    cancelled.cancel();
    resumed.resume();
    Coroutines.pauseUntilReady(late);
    late.resume();

    assertThrows(CancellationException.class, cancelled::await);
    resumed.await();
    late.await();
    assertArrayEquals(new byte[64], buffer.array());
    assertEquals(0, buffer.position());
  }

  @Test
  void aFailureIsTold() throws Exception {
    int code = UvErrors.code("EIO");
    try (var _ = NativeCalls.replace("uv_random", NativeCalls.failing("uv_random", code))) {
      Loop.run(
          () -> {
            ByteBuffer buffer = ByteBuffer.allocate(1);
            assertEquals("EIO", assertThrows(UvException.class, () -> Info.random(buffer)).code());
            assertEquals(
                "EIO", assertThrows(UvException.class, () -> Info.randomNow(buffer)).code());
          });
    }
  }
}
