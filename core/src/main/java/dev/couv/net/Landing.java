// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.UserBuffers;
import dev.couv.uv.Memory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Where a datagram goes: what was free of the caller's buffer when the receive began. Its position moves
/// only when the await returns; until then what has landed can be taken back.
final class Landing {
  private final ByteBuffer into;
  private final int position;
  private final int room;

  /// What landed, if the buffer's memory was freed meanwhile, or another thread might do so.
  private byte @Nullable [] stray;

  Landing(ByteBuffer into) {
    UserBuffers.checkTarget(into);
    this.into = into;
    this.position = into.position();
    this.room = into.remaining();
  }

  /// How much of a datagram of that length there is room for.
  int fitting(int length) {
    return Math.min(length, room);
  }

  /// Copies from native memory. In a callback: nothing throws.
  void land(long from, int length) {
    int count = fitting(length);
    long address = UserBuffers.address(into);
    if (address != 0) {
      // Not through the buffer: its memory may be confined to the receiver's thread.
      Memory.copy(from, address + position, count);
    } else if (into.isDirect()) {
      stray = bytes(from, count);
    } else {
      Memory.copy(from, whole(), position, count);
    }
  }

  /// Takes back what landed.
  byte[] takeBack(int length) {
    byte[] strayed = stray;
    if (strayed != null) {
      return strayed;
    }
    long address = UserBuffers.address(into);
    if (address != 0) {
      return bytes(address + position, length);
    }
    byte[] bytes = new byte[into.isDirect() ? 0 : length]; // else it went with the user's memory
    if (bytes.length > 0) {
      whole().get(position, bytes);
    }
    return bytes;
  }

  /// Whether the buffer is what it was when the receive began, and has what landed.
  boolean isSound(int length) {
    return position + length <= into.limit() && (stray == null || copyStray(stray));
  }

  private boolean copyStray(byte[] bytes) {
    try {
      into.put(position, bytes);
      return true;
    } catch (IllegalStateException freed) {
      return false;
    }
  }

  /// Moves the caller's position behind what landed.
  void settle(int length) {
    into.position(position + length);
  }

  private ByteBuffer whole() {
    return into.duplicate().clear(); // its limit may have been moved meanwhile
  }

  static byte[] bytes(long from, int length) {
    byte[] bytes = new byte[length];
    Memory.copy(from, bytes, 0, length);
    return bytes;
  }
}
