// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import dev.couv.uv.ReplacedCall;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicLong;

/// Counts how often Couv asks the C allocator for memory, until it is closed.
final class CountedAllocator implements AutoCloseable {
  private final AtomicLong calls = new AtomicLong();
  private final ReplacedCall malloc = counted("malloc");
  private final ReplacedCall calloc = counted("calloc");

  void reset() {
    calls.set(0);
  }

  long count() {
    return calls.get();
  }

  @Override
  public void close() {
    calloc.close();
    malloc.close();
  }

  private ReplacedCall counted(String name) {
    return new ReplacedCall(name, function -> MethodHandles.foldArguments(function, increment()));
  }

  private MethodHandle increment() {
    try {
      return MethodHandles.lookup()
          .findVirtual(AtomicLong.class, "incrementAndGet", MethodType.methodType(long.class))
          .bindTo(calls)
          .asType(MethodType.methodType(void.class));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
