// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Native memory that belongs to nobody for longer than one call: a buffer that bytes pass through
/// on their way from or to the Java heap, an array of buffer descriptors, and room for arguments by
/// address. One per loop, so that ten thousand idle streams hold no buffers.
public final class Scratch {
  /// What libuv suggests for a read.
  public static final int BUFFER_SIZE = 1 << 16;

  /// The most that one write hands over from the heap: five records of TLS, which is what four of another side's become.
  public static final int WRITE_SIZE = 84 << 10;

  /// How many buffers one gathered write names.
  public static final int VECTOR_LENGTH = 64;

  private static final int ARGUMENTS_SIZE = 256;

  private static final long SIZE =
      WRITE_SIZE + VECTOR_LENGTH * Layouts.UV_BUF_SIZE + ARGUMENTS_SIZE;

  /// How many datagrams are received at once, each with a [#BUFFER_SIZE] of its own.
  public static final int DATAGRAMS = 20;

  private static final long DATAGRAMS_SIZE = (long) DATAGRAMS * BUFFER_SIZE;

  private long address;
  private long datagrams;
  private @Nullable ByteBuffer buffer;

  /// The buffer, from index 0 to its capacity. Never kept across a suspension.
  public ByteBuffer buffer() {
    ByteBuffer made = buffer;
    if (made == null) {
      address = NativeMemory.allocate(SIZE);
      made = Memory.view(address, WRITE_SIZE);
      buffer = made;
    }
    return made;
  }

  public long bufferAddress() {
    buffer();
    return address;
  }

  /// Room for [#VECTOR_LENGTH] descriptors.
  public long vectorAddress() {
    return bufferAddress() + WRITE_SIZE;
  }

  /// Room for one or two socket addresses, or a few words.
  public long argumentsAddress() {
    return vectorAddress() + VECTOR_LENGTH * Layouts.UV_BUF_SIZE;
  }

  /// Room for [#DATAGRAMS] of the longest datagrams. The system gives pages only for what is written.
  public long datagramsAddress() {
    if (datagrams == 0) {
      datagrams = NativeMemory.allocate(DATAGRAMS_SIZE);
    }
    return datagrams;
  }

  long bytes() {
    return (buffer == null ? 0 : SIZE) + (datagrams == 0 ? 0 : DATAGRAMS_SIZE);
  }

  void close() {
    if (datagrams != 0) {
      NativeMemory.free(datagrams, DATAGRAMS_SIZE);
      datagrams = 0;
    }
    if (buffer != null) {
      buffer = null;
      NativeMemory.free(address, SIZE);
      address = 0;
    }
  }
}
