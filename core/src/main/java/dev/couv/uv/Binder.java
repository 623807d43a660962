// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The C functions that are bound so far, each once and under its name. It knows none of those who bind them;
/// [NativeCalls] does. Any thread.
final class Binder {
  private static final ConcurrentMap<String, NativeCall> CALLS = new ConcurrentHashMap<>();

  private Binder() {}

  /// What [Call] calls. The linker is asked by the first call, for a handle of exactly that type.
  static MethodHandle register(
      String name,
      Class<?> result,
      Class<?>[] arguments,
      Function<FunctionDescriptor, MethodHandle> linker) {
    MethodType type = MethodType.methodType(result, arguments);
    NativeCall call = new NativeCall(type, () -> linker.apply(descriptor(type)));
    if (CALLS.putIfAbsent(name, call) != null) throw new AssertionError(name + " is bound twice");
    return call.invoker();
  }

  /// How C passes what Java calls so. A pointer is a `long`, too.
  static FunctionDescriptor descriptor(MethodType type) {
    MemoryLayout[] arguments = new MemoryLayout[type.parameterCount()];
    Arrays.setAll(arguments, i -> layout(type.parameterType(i)));
    Class<?> result = type.returnType();
    return result == void.class
        ? FunctionDescriptor.ofVoid(arguments)
        : FunctionDescriptor.of(layout(result), arguments);
  }

  private static MemoryLayout layout(Class<?> type) {
    if (type == short.class) return JAVA_SHORT;
    return type == int.class ? JAVA_INT : JAVA_LONG;
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
