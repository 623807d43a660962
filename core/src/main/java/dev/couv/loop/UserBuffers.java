// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/// What a buffer that a user hands over may be used for: asked before anything begins, so that nothing
/// is half done when it turns out to be unusable.
///
/// ## Whose memory it is
///
/// libuv and the system are given bare addresses. That is safe for memory which nobody can free meanwhile:
/// the VM's own, that of an automatic arena, that of an arena confined to the coroutine that is in the
/// call. Any thread may close a shared arena at any time, and the VM protects only its own accesses
/// from that: so the bytes of such a buffer are copied by the VM, to and from memory of ours.
public final class UserBuffers {
  /// The JDK tells kinds of memory apart by nothing else.
  private static final Class<?> SHARED = shared();

  private UserBuffers() {}

  private static Class<?> shared() {
    try (Arena arena = Arena.ofShared()) {
      return arena.scope().getClass();
    }
  }

  /// Throws if the bytes of one of them cannot be had.
  ///
  /// @throws IllegalStateException if its arena is closed
  /// @throws WrongThreadException if its arena is another thread's, or another coroutine's
  public static void checkSources(ByteBuffer... buffers) {
    for (ByteBuffer buffer : buffers) {
      Objects.requireNonNull(buffer, "buffer");
      if (buffer.isDirect()) {
        checkMemory(buffer);
      }
    }
  }

  /// Throws if nothing can be put into it; likewise.
  ///
  /// @throws IllegalArgumentException if it is read-only
  public static void checkTarget(ByteBuffer buffer) {
    Objects.requireNonNull(buffer, "buffer");
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException("the buffer is read-only");
    }
    if (buffer.isDirect()) {
      checkMemory(buffer);
    }
  }

  private static void checkMemory(ByteBuffer buffer) {
    MemorySegment segment = MemorySegment.ofBuffer(buffer);
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException("the buffer's memory was freed: its arena is closed");
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException("the buffer's memory is confined to another thread");
    }
  }

  /// Whether its address may be handed out: it is direct, and nobody else can free it. A closed one may
  /// not.
  public static boolean isFixed(ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      return false;
    }
    MemorySegment.Scope scope = MemorySegment.ofBuffer(buffer).scope();
    return scope.getClass() != SHARED && scope.isAlive();
  }

  /// The address of its index 0 if it [#isFixed], else 0.
  public static long address(ByteBuffer buffer) {
    return isFixed(buffer) ? Memory.address(buffer) : 0;
  }
}
