// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The C functions that are bound so far, each once and under its name. It knows none of those who bind them. Any thread.
final class Binder {
  private static final ConcurrentMap<String, NativeCall> CALLS = new ConcurrentHashMap<>();

  private Binder() {}

  /// The linker is asked for a handle of the shape that it is given: by [#link], or else by the first call.
  static NativeCall register(
      String name,
      Class<?> result,
      Class<?>[] arguments,
      Function<FunctionDescriptor, MethodHandle> linker) {
    MethodType type = MethodType.methodType(result, arguments);
    NativeCall call = new NativeCall(type, () -> linker.apply(Shape.descriptor(type)));
    if (CALLS.putIfAbsent(name, call) != null) throw new AssertionError(name + " is bound twice");
    return call;
  }

  /// Has it linked now, if that can be.
  static NativeCall link(NativeCall call) {
    try {
      call.link();
    } catch (Throwable notNow) {
      // Then the first call links it, or says why it cannot be.
    }
    return call;
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
