// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class ScratchTest {
  @RegisterExtension final TestLoop test = new TestLoop();

  @Test
  void itIsAllocatedByItsFirstUseAndOnce() {
    Scratch scratch = test.loop().scratch();
    long before = NativeMemory.allocatedBytes();
    long nativeBytes = test.stats().nativeBytes();

    ByteBuffer buffer = scratch.buffer();
    long size = NativeMemory.allocatedBytes() - before;

    assertTrue(size > Scratch.WRITE_SIZE);
    assertSame(buffer, scratch.buffer());
    scratch.argumentsAddress();
    assertEquals(before + size, NativeMemory.allocatedBytes());
    assertEquals(nativeBytes + size, test.stats().nativeBytes());
    assertEquals(0, test.stats().blocks(), "it belongs to nobody");
  }

  @Test
  void itsPartsLieBehindEachOther() {
    Scratch scratch = test.loop().scratch();

    assertEquals(Scratch.WRITE_SIZE, scratch.buffer().capacity());
    assertEquals(scratch.bufferAddress(), Memory.address(scratch.buffer()));
    assertEquals(scratch.bufferAddress() + Scratch.WRITE_SIZE, scratch.vectorAddress());
    assertEquals(
        scratch.vectorAddress() + Scratch.VECTOR_LENGTH * Layouts.UV_BUF_SIZE,
        scratch.argumentsAddress());
    long last = scratch.argumentsAddress() + 2 * Layouts.SOCKADDR_STORAGE_SIZE - 1;
    Memory.putByte(last, (byte) 7);
    assertEquals(7, Memory.getByte(last));
  }

  @Test
  void theBufferIsTheMemoryThatLibuvSees() {
    Scratch scratch = test.loop().scratch();

    Memory.putByte(scratch.bufferAddress() + 5, (byte) 42);

    assertEquals(42, scratch.buffer().get(5));
  }
}
