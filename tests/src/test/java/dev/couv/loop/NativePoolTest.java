// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.Memory;
import dev.couv.uv.NativeCalls;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NativePoolTest {
  private final Registry registry = new Registry();
  private final NativePool pool = new NativePool(3, registry);
  private final List<NativeBlock> taken = new ArrayList<>();
  private final long before = NativeMemory.allocatedBytes();

  @AfterEach
  void freeAll() {
    taken.forEach(pool::give);
    pool.close();
    assertEquals(before, NativeMemory.allocatedBytes());
  }

  @ParameterizedTest
  @CsvSource({
    "1, 256",
    "256, 256",
    "257, 512",
    "512, 512",
    "513, 2048",
    "2049, 8192",
    "8193, 66048",
    "66048, 66048"
  })
  void aBlockHasTheSmallestSizeThatFits(int asked, int given) {
    NativeBlock block = take(asked);

    assertEquals(given, block.capacity);
    assertEquals(given, pool.bytes());
    assertEquals(given, pool.usedBytes());
    assertEquals(before + given, NativeMemory.allocatedBytes());
    Memory.putByte(block.address + given - 1, (byte) 1);
  }

  @Test
  void moreThanTheLargestSizeIsABug() {
    AssertionError refused = assertThrows(AssertionError.class, () -> take(66_049));

    assertEquals("no native block of 66049 bytes", refused.getMessage());
    assertEquals(0, pool.used());
  }

  @Test
  void theBlockThatCameBackLastIsTheNext() {
    NativeBlock first = take(100);
    NativeBlock second = take(100);
    give(first);
    give(second);

    assertEquals(second.address, take(200).address);
    assertEquals(first.address, take(1).address);
    assertEquals(512, pool.bytes());
  }

  @Test
  void theKeyNamesLoopAndIndex() {
    NativeBlock block = take(100);

    assertEquals((3L << 32) | block.index(), Memory.getLong(block.address));
  }

  @Test
  void whatIsInUseIsCounted() {
    NativeBlock small = take(100);
    take(1000);

    assertEquals(2, pool.used());
    assertEquals(256 + 2048, pool.usedBytes());
    give(small);
    assertEquals(1, pool.used());
    assertEquals(2048, pool.usedBytes());
    assertEquals(256 + 2048, pool.bytes());
  }

  @Test
  void onlyAMebibyteOfFreeBlocksOfASizeIsKept() {
    int kept = (1 << 20) / 2048;
    List<NativeBlock> blocks = new ArrayList<>();
    for (int i = 0; i < kept + 10; i++) {
      blocks.add(take(2048));
    }

    blocks.forEach(this::give);

    assertEquals(1 << 20, pool.bytes());
    assertEquals(before + (1 << 20), NativeMemory.allocatedBytes());
  }

  @Test
  void aBlockThatIsGivenBackTwiceIsABug() {
    NativeBlock block = take(100);
    give(block);

    assertThrows(AssertionError.class, () -> pool.give(block));
    assertEquals(0, pool.used());
    assertNotEquals(take(100).address, take(100).address);
  }

  @Test
  void closingWithABlockInUseIsABugAndSaysWhose() {
    take(100);

    AssertionError refused = assertThrows(AssertionError.class, pool::close);

    assertEquals("1 native blocks still in use: [somebody]", refused.getMessage());
  }

  @Test
  void withoutMemoryNothingIsTaken() {
    MethodHandle none =
        MethodHandles.dropArguments(
            MethodHandles.constant(long.class, 0L), 0, long.class, long.class);

    try (var _ = NativeCalls.replace("calloc", none)) {
      OutOfMemoryError thrown = assertThrows(OutOfMemoryError.class, () -> take(100));
      assertTrue(thrown.getMessage().contains("256 bytes"), thrown::getMessage);
    }

    assertEquals(0, pool.used());
    assertEquals(0, pool.bytes());
    assertEquals(0, take(100).index(), "no index was lost");
  }

  private NativeBlock take(int size) {
    NativeBlock block = pool.take(size, new Owner());
    taken.add(block);
    return block;
  }

  private void give(NativeBlock block) {
    pool.give(block);
    taken.remove(block);
  }

  private static final class Owner extends NativeOwner {
    @Override
    protected void loopEnds() {}

    @Override
    public String toString() {
      return "somebody";
    }
  }
}
