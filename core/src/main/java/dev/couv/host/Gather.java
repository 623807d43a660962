// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Scratch;
import dev.couv.loop.UserBuffers;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvBuf;
import java.nio.ByteBuffer;

/// Several buffers as one sequence of bytes: what is between their positions and limits.
final class Gather {
  private Gather() {}

  /// How many bytes remain, but no more than `limit`.
  static int length(ByteBuffer[] buffers, int limit) {
    return (int) Math.min(UserBuffers.remaining(buffers), limit);
  }

  /// Describes the beginning of the sequence for one system call: direct buffers where they are, the
  /// bytes of others in the scratch buffer as far as it goes. How many descriptors that took.
  static int prepare(Scratch scratch, ByteBuffer... buffers) {
    long vector = scratch.vectorAddress();
    int used = 0;
    int count = 0;
    for (ByteBuffer buffer : buffers) {
      int remaining = buffer.remaining();
      if (remaining == 0) {
        continue;
      }
      if (count == Scratch.VECTOR_LENGTH) {
        break;
      }
      int position = buffer.position();
      long address = UserBuffers.address(buffer);
      if (address != 0) {
        UvBuf.set(vector, address + position, remaining);
      } else {
        remaining = Math.min(remaining, Scratch.WRITE_SIZE - used);
        if (remaining == 0) {
          break;
        }
        scratch.buffer().put(used, buffer, position, remaining);
        UvBuf.set(vector, scratch.bufferAddress() + used, remaining);
        used += remaining;
      }
      count++;
      vector += Layouts.UV_BUF_SIZE;
      if (remaining < buffer.remaining()) {
        break; // what follows must not overtake the rest of this one
      }
    }
    return count;
  }

  /// How many bytes the descriptors name.
  static long offered(Scratch scratch, int descriptors) {
    long offered = 0;
    for (int i = 0; i < descriptors; i++) {
      offered += UvBuf.len(scratch.vectorAddress() + i * Layouts.UV_BUF_SIZE);
    }
    return offered;
  }

  /// Copies the first `length` bytes of the sequence to native memory.
  static void copy(ByteBuffer[] buffers, long address, int length) {
    int copied = 0;
    for (ByteBuffer buffer : buffers) {
      int part = Math.min(buffer.remaining(), length - copied);
      Memory.copy(buffer, buffer.position(), address + copied, part);
      copied += part;
    }
  }

  /// Moves the positions by `count` bytes of the sequence.
  static void advance(ByteBuffer[] buffers, int count) {
    int left = count;
    for (ByteBuffer buffer : buffers) {
      int part = Math.min(buffer.remaining(), left);
      buffer.position(buffer.position() + part);
      left -= part;
    }
  }
}
