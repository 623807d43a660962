// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MutableCallSite;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// A C function, as a constant of the class that has it under its C name.
///
/// Whatever the widths of its arguments and of its result are, they are `long` here; [Shape] says why. What a function
/// answers that answers nothing means nothing.
///
/// A record, because the compiler takes the fields of records for constants: a call costs what it costs by a
/// method handle that is a constant itself. Any thread.
///
/// @param site where it goes
/// @param shift how many bits of what comes back are none of the answer, which are the upper ones
record Call(MutableCallSite site, int shift) {
  static final Class<?> VOID = void.class;
  static final Class<?> SHORT = short.class;
  static final Class<?> INT = int.class;
  static final Class<?> LONG = long.class;

  /// [Native] says why.
  static final Class<?> POINTER = long.class;

  /// Couv runs on 64-bit platforms only, where this holds on all of them.
  static final Class<?> SIZE_T = long.class;

  /// A libuv function. Where the library or the function is missing, each call throws [UvLibraryError].
  static Call of(String name, Class<?> result, Class<?>... arguments) {
    return bind(name, result, arguments, shape -> Native.downcall(Native.symbol(name), shape));
  }

  /// A libuv function on files: the loop and the request come first, the callback last.
  static Call fs(String name, Class<?>... arguments) {
    List<Class<?>> all = new ArrayList<>(List.of(POINTER, POINTER));
    all.addAll(List.of(arguments));
    all.add(POINTER);
    return of(name, INT, all.toArray(Class<?>[]::new));
  }

  /// A libuv function during which the thread does not leave its Java state: 4 ns instead of 13, but a garbage
  /// collection waits for it. Only for functions that work on memory alone: no system call, no callback.
  static Call critical(String name, Class<?> result, Class<?>... arguments) {
    Linker.Option critical = Linker.Option.critical(false);
    return bind(
        name, result, arguments, shape -> Native.downcall(Native.symbol(name), shape, critical));
  }

  /// A function of the C library.
  static Call system(String name, Class<?> result, Class<?>... arguments) {
    return bind(
        name, result, arguments, shape -> Native.downcall(Native.systemSymbol(name), shape));
  }

  /// A function of the C library that answers a negative number and sets `errno` when it fails. As bound, and as
  /// a test replaces it, it answers as libuv's do: the negated `errno`.
  static Call errno(String name, Class<?> result, Class<?>... arguments) {
    return bind(name, result, arguments, shape -> CapturedErrno.negated(name, shape, result));
  }

  /// As [#errno], past the function of the C library, where the number of the system's call is known. Each that may wait lets `pthread_cancel`
  /// in, which nobody here calls: two atomic steps of the processor, before and after.
  static Call numbered(SystemCall known, String name, Class<?> result, Class<?>... arguments) {
    if (!known.hasNumber()) {
      return errno(name, result, arguments);
    }
    return bind(name, result, arguments, shape -> CapturedErrno.negated(known.number(), shape));
  }

  /// As [#errno], of a function that takes any arguments after the first ones. Linked by its first call, because that is a shape of its own, which
  /// takes as long as a hundred others: so nothing of its arguments may be what others use meanwhile.
  static Call errnoVariadic(String name, int first, Class<?> result, Class<?>... arguments) {
    Linker.Option variadic = Linker.Option.firstVariadicArg(first);
    NativeCall call =
        Binder.register(
            name, result, arguments, shape -> CapturedErrno.negated(name, shape, result, variadic));
    return new Call(call.site, Shape.shift(result));
  }

  private static Call bind(
      String name,
      Class<?> result,
      Class<?>[] arguments,
      Function<FunctionDescriptor, MethodHandle> linker) {
    NativeCall call = Binder.link(Binder.register(name, result, arguments, linker));
    return new Call(call.site, Shape.shift(result));
  }

  long call() {
    return call(0, 0, 0, 0, 0, 0);
  }

  long call(long a) {
    return call(a, 0, 0, 0, 0, 0);
  }

  long call(long a, long b) {
    return call(a, b, 0, 0, 0, 0);
  }

  long call(long a, long b, long c) {
    return call(a, b, c, 0, 0, 0);
  }

  long call(long a, long b, long c, long d) {
    return call(a, b, c, d, 0, 0);
  }

  long call(long a, long b, long c, long d, long e) {
    return call(a, b, c, d, e, 0);
  }

  long call(long a, long b, long c, long d, long e, long f) {
    try {
      return answer((long) site.getTarget().invokeExact(a, b, c, d, e, f));
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  long call(long a, long b, long c, long d, long e, long f, long g) {
    try {
      return answer((long) site.getTarget().invokeExact(a, b, c, d, e, f, g));
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  private long answer(long result) {
    return result << shift >> shift;
  }
}
