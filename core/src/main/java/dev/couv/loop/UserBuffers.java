// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
  private static final Class<?> SHARED = kindOf(Arena.ofShared());

  private static final Class<?> CONFINED = kindOf(Arena.ofConfined());

  /// Direct buffers whose memory nobody can free while they are referred to, by their identity. To ask the JDK costs
  /// two objects, where its compiler does not see through the question: these are asked about once. A place that is
  /// taken stays so until its buffer is collected.
  private static final @Nullable Lasting[] LASTING = new Lasting[1024];

  /// Such a buffer, and the address of its index 0.
  private static final class Lasting extends WeakReference<Object> {
    final long address;

    Lasting(ByteBuffer direct) {
      super(direct);
      address = Memory.address(direct);
    }
  }

  private UserBuffers() {}

  private static Class<?> kindOf(Arena example) {
    try (example) {
      return example.scope().getClass();
    }
  }

  private static @Nullable Lasting lasting(ByteBuffer direct) {
    Lasting known = LASTING[place(direct)];
    return known != null && known.refersTo(direct) ? known : null;
  }

  /// Any thread: who sees it too late asks the JDK.
  private static void remember(ByteBuffer direct, MemorySegment.Scope scope) {
    Class<?> kind = scope.getClass();
    Lasting known = LASTING[place(direct)];
    if (kind != SHARED && kind != CONFINED && (known == null || known.refersTo(null))) {
      LASTING[place(direct)] = new Lasting(direct);
    }
  }

  private static int place(ByteBuffer direct) {
    return System.identityHashCode(direct) & (LASTING.length - 1);
  }

  /// How many bytes they have together.
  public static long remaining(ByteBuffer... buffers) {
    long remaining = 0;
    for (ByteBuffer buffer : buffers) {
      remaining += buffer.remaining();
    }
    return remaining;
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

  /// Throws if nothing can be put into it, or its memory cannot be had.
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
    if (lasting(buffer) != null) {
      return;
    }
    MemorySegment segment = MemorySegment.ofBuffer(buffer);
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException(
          "the buffer's memory was freed: its arena is closed, or it was borrowed and given back");
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException(
          "the buffer's memory is confined to another thread, or was borrowed by another"
              + " coroutine");
    }
    remember(buffer, segment.scope());
  }

  /// Whether there is a byte in any of them.
  public static boolean hasRemaining(ByteBuffer... buffers) {
    return remaining(buffers) > 0;
  }

  /// Whether its address may be handed out: it is direct, and nobody else can free it. A closed one may
  /// not.
  public static boolean isFixed(ByteBuffer buffer) {
    if (!buffer.isDirect() || lasting(buffer) != null) {
      return buffer.isDirect();
    }
    MemorySegment.Scope scope = MemorySegment.ofBuffer(buffer).scope();
    return scope.getClass() != SHARED && scope.isAlive();
  }

  /// The address of its index 0 if it [#isFixed], else 0.
  public static long address(ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      return 0;
    }
    Lasting known = lasting(buffer);
    if (known != null) {
      return known.address;
    }
    return isFixed(buffer) ? Memory.address(buffer) : 0;
  }
}
