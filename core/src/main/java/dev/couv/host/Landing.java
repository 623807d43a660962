// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.UserBuffers;
import dev.couv.uv.Memory;
import dev.couv.world.UdpHandle.Arrived;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where a datagram goes: what was free of the caller's buffer when the receive began. Its position moves
/// only when the await returns; until then what has landed can be taken back.
final class Landing {
  private final ByteBuffer into;
  private final int position;
  private final int room;

  /// Who sent what landed; null as long as nothing has.
  private @Nullable InetSocketAddress from;

  private int length;
  private boolean truncated;

  /// What landed, if the buffer's memory was freed meanwhile, or another thread might do so.
  private byte @Nullable [] stray;

  Landing(ByteBuffer into) {
    UserBuffers.checkTarget(into);
    this.into = into;
    this.position = into.position();
    this.room = into.remaining();
  }

  /// A datagram of so many bytes is in native memory. In a callback: nothing throws.
  void land(InetSocketAddress sender, long bytes, int count, boolean cut) {
    from = sender;
    length = Math.min(count, room);
    truncated = cut || length < count;
    long address = UserBuffers.address(into);
    if (address != 0) {
      // Not through the buffer: its memory may be confined to the receiver's thread.
      Memory.copy(bytes, address + position, length);
    } else if (into.isDirect()) {
      stray = bytes(bytes, length);
    } else {
      Memory.copy(bytes, whole(into), position, length);
    }
  }

  <T> T read(Arrived<T> as) {
    return as.of(Objects.requireNonNull(from, "nothing landed"), length, truncated);
  }

  /// Takes back what landed.
  KeptDatagram takeBack() {
    return read((sender, _, cut) -> new KeptDatagram(sender, landed(), cut));
  }

  private byte[] landed() {
    return stray == null ? bytes(into, position, length) : stray;
  }

  /// What landed there, unless it went with memory that the user freed: then nothing. Not through a direct buffer, whose
  /// memory may be confined to the receiver's thread.
  static byte[] bytes(ByteBuffer into, int position, int length) {
    long address = UserBuffers.address(into);
    if (address != 0) {
      return bytes(address + position, length);
    }
    byte[] bytes = new byte[into.isDirect() ? 0 : length];
    if (bytes.length > 0) {
      whole(into).get(position, bytes);
    }
    return bytes;
  }

  /// Whether the buffer is what it was when the receive began, and has what landed.
  boolean isSound() {
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
  void settle() {
    into.position(position + length);
  }

  static ByteBuffer whole(ByteBuffer into) {
    return into.duplicate().clear(); // its limit may have been moved meanwhile
  }

  static byte[] bytes(long from, int count) {
    byte[] bytes = new byte[count];
    Memory.copy(from, bytes, 0, count);
    return bytes;
  }
}
