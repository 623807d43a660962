// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MemoryTest {
  private static final int SIZE = 64;

  private final long block = Memory.calloc(1, SIZE);

  @AfterEach
  void free() {
    Memory.free(block);
  }

  @Test
  void numbersAreReadAsTheyWereWrittenAtAnyAddress() {
    for (long address = block; address < block + 8; address++) {
      Memory.putByte(address, (byte) 0x81);
      assertThat(Memory.getByte(address)).isEqualTo((byte) 0x81);
      Memory.putShort(address, (short) 0x8182);
      assertThat(Memory.getShort(address)).isEqualTo((short) 0x8182);
      Memory.putInt(address, 0x81828384);
      assertThat(Memory.getInt(address)).isEqualTo(0x81828384);
      Memory.putLong(address, 0x8182838485868788L);
      assertThat(Memory.getLong(address)).isEqualTo(0x8182838485868788L);
    }
  }

  @Test
  void numbersAreInTheOrderOfTheMachine() {
    Memory.putInt(block, 1);

    assertThat(Memory.view(block, 4).order(ByteOrder.nativeOrder()).getInt(0)).isEqualTo(1);
  }

  @Test
  void callocGivesZeros() {
    assertThat(bytes(block, SIZE)).containsOnly(0);
  }

  @Test
  void zeroClearsThatManyBytes() {
    for (int i = 0; i < 8; i++) Memory.putByte(block + i, (byte) 9);

    Memory.zero(block + 2, 3);

    assertThat(bytes(block, 8)).containsExactly(9, 9, 0, 0, 0, 9, 9, 9);
  }

  @Test
  void copyBetweenOverlappingAddressesKeepsTheBytes() {
    Memory.copy(new byte[] {1, 2, 3, 4}, 0, block, 4);

    Memory.copy(block, block + 1, 4);

    assertThat(bytes(block, 5)).containsExactly(1, 1, 2, 3, 4);
  }

  @Test
  void arraysAreCopiedFromAndToAnIndex() {
    Memory.copy(new byte[] {1, 2, 3, 4}, 1, block, 2);
    assertThat(bytes(block, 4)).containsExactly(2, 3, 0, 0);

    byte[] array = new byte[4];
    Memory.copy(block, array, 2, 2);
    assertThat(array).containsExactly(0, 0, 2, 3);
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void bufferIsFilledAtAnAbsoluteIndexAndDoesNotMove(ByteBuffer buffer) {
    buffer.position(3).limit(6);
    Memory.copy(new byte[] {1, 2}, 0, block, 2);

    Memory.copy(block, buffer, 4, 2);

    assertThat(List.of(buffer.position(), buffer.limit())).containsExactly(3, 6);
    assertThat(List.of(buffer.get(4), buffer.get(5))).containsExactly((byte) 1, (byte) 2);
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void bufferIsReadFromAnAbsoluteIndexAndDoesNotMove(ByteBuffer buffer) {
    buffer.put(4, (byte) 1).put(5, (byte) 2).position(3).limit(6);

    Memory.copy(buffer, 4, block, 2);
    Memory.copy(buffer.asReadOnlyBuffer(), 4, block + 2, 2);

    assertThat(List.of(buffer.position(), buffer.limit())).containsExactly(3, 6);
    assertThat(bytes(block, 5)).containsExactly(1, 2, 1, 2, 0);
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void nothingIsCopiedBeyondTheLimit(ByteBuffer buffer) {
    buffer.limit(6);

    assertThatThrownBy(() -> Memory.copy(block, buffer, 5, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Memory.copy(buffer, 5, block, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void viewIsTheMemoryItself() {
    ByteBuffer view = Memory.view(block + 1, 4);
    view.put(3, (byte) 7);

    assertThat(Memory.getByte(block + 4)).isEqualTo((byte) 7);
    assertThat(view.isDirect()).isTrue();
    assertThat(view.capacity()).isEqualTo(4);
    assertThat(Memory.address(view)).isEqualTo(block + 1);
  }

  @Test
  void addressIsThatOfIndexZero() {
    ByteBuffer view = Memory.view(block, SIZE);

    assertThat(Memory.address(view.position(5).limit(9))).isEqualTo(block);
    assertThat(Memory.address(view.slice())).isEqualTo(block + 5);
    assertThat(Memory.address(view.asReadOnlyBuffer())).isEqualTo(block);
    assertThatThrownBy(() -> Memory.address(ByteBuffer.allocate(1)))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void stringsAreUtf8WithANul() {
    long text = Memory.newString("ä𝄞");

    assertThat(bytes(text, 7)).containsExactly(0xc3, 0xa4, 0xf0, 0x9d, 0x84, 0x9e, 0);
    assertThat(Memory.getString(text)).isEqualTo("ä𝄞");

    Memory.free(text);
  }

  @Test
  void bufOfLibuvKeepsBaseAndLength() {
    UvBuf.set(block, 0x1234567890L, 4711);

    assertThat(UvBuf.base(block)).isEqualTo(0x1234567890L);
    assertThat(UvBuf.len(block)).isEqualTo(4711);
  }

  static List<ByteBuffer> buffers() {
    return List.of(
        ByteBuffer.allocate(8),
        ByteBuffer.allocateDirect(8),
        ByteBuffer.allocate(16).slice(5, 8),
        ByteBuffer.allocateDirect(16).slice(5, 8));
  }

  private static int[] bytes(long address, int count) {
    return IntStream.range(0, count).map(i -> Memory.getByte(address + i) & 0xff).toArray();
  }
}
