// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.NativeCalls;
import dev.couv.uv.OtherCalls;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts the calls of a C function, which go on to it, until it is closed.
public final class CallCount implements AutoCloseable {
  private final AtomicInteger calls = new AtomicInteger();
  private final NativeCalls.Replacement replacement;

  public CallCount(String name) {
    OtherCalls.bind();
    replacement =
        NativeCalls.replace(name, MethodHandles.foldArguments(NativeCalls.target(name), adder()));
  }

  public int get() {
    return calls.get();
  }

  @Override
  public void close() {
    replacement.close();
  }

  private MethodHandle adder() {
    try {
      MethodHandle increment =
          MethodHandles.lookup().bind(calls, "incrementAndGet", MethodType.methodType(int.class));
      return increment.asType(MethodType.methodType(void.class));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
