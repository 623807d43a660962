// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Binds C functions, each once and under its name: what the classes of this package get their calls from. It
/// knows none of them; [NativeCalls] does. Any thread.
final class Binder {
  /// A pointer is passed as a Java `long`; [Native] says why.
  static final ValueLayout.OfLong POINTER = JAVA_LONG;

  /// Couv runs on 64-bit platforms only, where this holds on all of them.
  static final ValueLayout.OfLong SIZE_T = JAVA_LONG;

  private static final ConcurrentMap<String, NativeCall> CALLS = new ConcurrentHashMap<>();

  private Binder() {}

  /// Binds a libuv function. Where the library or the function is missing, each call throws
  /// [UvLibraryError].
  static MethodHandle bind(String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return register(name, descriptor, () -> Native.symbol(name), options);
  }

  /// Binds a libuv function during which the thread does not leave its Java state: 4 ns instead of
  /// 13, but a garbage collection waits for it. Only for functions that work on memory alone: no
  /// system call, no callback.
  static MethodHandle bindCritical(String name, FunctionDescriptor descriptor) {
    return bind(name, descriptor, Linker.Option.critical(false));
  }

  /// Binds a libuv function newer than 1.44.2; null where the library does not have it.
  static @Nullable MethodHandle bindOptional(String name, FunctionDescriptor descriptor) {
    return Native.available() && Native.has(name) ? bind(name, descriptor) : null;
  }

  /// Binds a function of the C library.
  static MethodHandle bindSystem(String name, FunctionDescriptor descriptor) {
    return register(name, descriptor, () -> Native.systemSymbol(name));
  }

  /// Binds a function of the C library that answers a negative number and sets `errno` when it fails.
  /// As bound, and as a test replaces it, it answers as libuv's do: the negated `errno`.
  static MethodHandle bindErrno(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return register(
        name,
        descriptor.toMethodType(),
        () -> CapturedErrno.negated(Native.systemSymbol(name), descriptor, options));
  }

  private static MethodHandle register(
      String name,
      FunctionDescriptor descriptor,
      Supplier<MemorySegment> symbol,
      Linker.Option... options) {
    return register(
        name, descriptor.toMethodType(), () -> Native.downcall(symbol.get(), descriptor, options));
  }

  private static MethodHandle register(
      String name, MethodType type, Supplier<MethodHandle> linker) {
    NativeCall call = new NativeCall(type, linker);
    if (CALLS.putIfAbsent(name, call) != null) throw new AssertionError(name + " is bound twice");
    return call.invoker();
  }

  /// What is bound under that name so far, or null.
  static @Nullable NativeCall find(String name) {
    return CALLS.get(name);
  }

  /// The C names of what is bound so far.
  static Set<String> names() {
    return Set.copyOf(CALLS.keySet());
  }
}
