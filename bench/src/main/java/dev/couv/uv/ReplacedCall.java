// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.invoke.MethodHandle;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A C function of the core that goes through something else until this is closed: for counting. It is in the
/// core's package because that is no matter of users.
public final class ReplacedCall implements AutoCloseable {
  private final NativeCall call;
  private final @Nullable MethodHandle former;

  public ReplacedCall(String name, UnaryOperator<MethodHandle> through) {
    Memory.free(0); // whose class binds those of the allocator
    call = Objects.requireNonNull(Binder.find(name), name);
    former = call.replace(through.apply(call.target()));
  }

  @Override
  public void close() {
    call.replace(former);
  }
}
