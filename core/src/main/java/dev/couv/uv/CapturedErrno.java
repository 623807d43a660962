// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// How to learn the `errno` of a call: the linker has to take it before the thread is back in Java,
/// where the VM may use the C library itself.
///
/// Each call has a word of its own, which goes from call to call: from one of a thread to its next, unless another thread was quicker. It is not
/// one that the collector frees: the JDK takes a lock to know of such a word, and these calls are made by the loop's thread, too, which must not
/// wait for a lock that a coroutine may be waiting for.
final class CapturedErrno {
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(PathElement.groupElement("errno")).withInvokeExactBehavior();

  /// Words that no call has now, one for each of these places of threads: to take it and to give it back is a step of the processor each.
  private static final AtomicReferenceArray<@Nullable MemorySegment> NEAR =
      new AtomicReferenceArray<>(64);

  /// Likewise, where the place has one already: never more than there were calls at a time.
  private static final ConcurrentLinkedQueue<MemorySegment> FREE = new ConcurrentLinkedQueue<>();

  /// Has several calls at a time where there is no memory for more: the codes of those that fail may be mixed up then.
  private static final MemorySegment LAST = Arena.global().allocate(STATE);

  private CapturedErrno() {}

  /// A function of the C library, as a handle of that shape that answers the negated `errno` of a call that failed.
  static MethodHandle negated(
      String name, FunctionDescriptor shape, Class<?> result, Linker.Option... options) {
    return negated(capturing(name, shape, options), shape, result);
  }

  /// Likewise, a call of the system by its number, with the arguments of that shape but its last.
  static MethodHandle negated(int number, FunctionDescriptor shape) {
    MethodHandle numbered =
        MethodHandles.insertArguments(capturing("syscall", shape), 1, (long) number);
    int last = shape.argumentLayouts().size();
    return negated(MethodHandles.dropArguments(numbered, last, long.class), shape, long.class);
  }

  private static MethodHandle capturing(
      String name, FunctionDescriptor shape, Linker.Option... options) {
    Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = Linker.Option.captureCallState("errno");
    return Native.downcall(Native.systemSymbol(name), shape, all);
  }

  private static MethodHandle negated(
      MethodHandle call, FunctionDescriptor shape, Class<?> result) {
    MethodHandle answer =
        MethodHandles.dropArguments(
            find(
                result == int.class ? "answerOfInt" : "answer",
                MethodType.methodType(long.class, long.class, MemorySegment.class)),
            2,
            shape.toMethodType().parameterList());
    return MethodHandles.foldArguments(
        MethodHandles.foldArguments(answer, call),
        find("state", MethodType.methodType(MemorySegment.class)));
  }

  static MemorySegment state() {
    MemorySegment near = NEAR.getAndSet(place(), null);
    if (near != null) {
      return near;
    }
    MemorySegment free = FREE.poll();
    return free == null ? made() : free;
  }

  /// What gives something back needs a word like any other: where the memory is exhausted it must be made nevertheless.
  private static MemorySegment made() {
    try {
      return Arena.global().allocate(STATE);
    } catch (OutOfMemoryError exhausted) {
      return LAST;
    }
  }

  /// Its upper half is none of the result.
  static long answerOfInt(long result, MemorySegment state) {
    int narrow = (int) result;
    return answer(narrow, state);
  }

  static long answer(long result, MemorySegment state) {
    long answer = result < 0 ? -(int) ERRNO.get(state, 0L) : result;
    if (state.address() != LAST.address() && !NEAR.compareAndSet(place(), null, state)) {
      keep(state);
    }
    return answer;
  }

  /// The call was made: nothing may be thrown any more.
  private static void keep(MemorySegment state) {
    try {
      FREE.offer(state);
    } catch (OutOfMemoryError exhausted) {
      // A word of four bytes is lost.
    }
  }

  private static int place() {
    return (int) Thread.currentThread().threadId() & (NEAR.length() - 1);
  }

  private static MethodHandle find(String name, MethodType type) {
    try {
      return MethodHandles.lookup().findStatic(CapturedErrno.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw Native.unexpected(e);
    }
  }
}
