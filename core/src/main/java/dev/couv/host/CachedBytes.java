// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.UvBuf;
import org.jspecify.annotations.Nullable;

/// Whether bytes of a file are in the system's memory: then a call that moves them waits for no disk.
///
/// The system is asked for single bytes, and to refuse rather than wait. One is asked for in each stretch of 128 KiB, which is what the system
/// reads ahead: so where the memory has holes in between, a call waits for one read of the disk, not for many. File systems that
/// do not know the question, on a network for example, answer that nothing is there.
final class CachedBytes {
  private static final long STRETCH = 1 << 17;

  /// What is read at once: it stays in the processor's cache on its way to the heap.
  private static final int PIECE = 1 << 16;

  private CachedBytes() {}

  /// Of that open file. What is behind its end is there: nothing waits for it.
  static boolean has(int file, long offset, long length) {
    if (!PosixBytes.HAS_PREADV2) {
      return false;
    }
    long vector = Memory.malloc(Layouts.UV_BUF_SIZE + Long.BYTES);
    if (vector == 0) {
      return false;
    }
    try {
      UvBuf.set(vector, vector + Layouts.UV_BUF_SIZE, 1);
      long last = offset + length - 1;
      for (long at = offset; at < last; at += STRETCH) {
        if (!isThere(file, vector, at)) {
          return false;
        }
      }
      return isThere(file, vector, last);
    } finally {
      Memory.free(vector);
    }
  }

  /// All bytes of that open file, if it has so many, and all of them are there. Nothing is waited for: the system copies
  /// what it has, and stops where it would have to wait.
  static byte @Nullable [] all(int file, int size) {
    if (!PosixBytes.HAS_PREADV2) {
      return null;
    }
    // One more than it has: a read that could have brought that one and did not has seen the end.
    int room = Math.min(size, PIECE) + 1;
    long vector = Memory.malloc(Layouts.UV_BUF_SIZE + room);
    if (vector == 0) {
      return null;
    }
    try {
      long piece = vector + Layouts.UV_BUF_SIZE;
      UvBuf.set(vector, piece, room);
      byte[] bytes = new byte[size];
      int at = 0;
      while (true) {
        int count = (int) PosixBytes.preadv2(file, vector, 1, at, PosixBytes.RWF_NOWAIT);
        if (count < 0 || count > size - at) {
          return null; // it would have to wait, or the file has grown
        }
        Memory.copy(piece, bytes, at, count);
        at += count;
        if (at == size && count < room) {
          return bytes;
        }
        if (count == 0) {
          return null; // it has shrunk
        }
      }
    } finally {
      Memory.free(vector);
    }
  }

  private static boolean isThere(int file, long vector, long at) {
    return PosixBytes.preadv2(file, vector, 1, at, PosixBytes.RWF_NOWAIT) >= 0;
  }
}
