// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// A system that does not do what it is asked for.
final class Faults {
  private Faults() {}

  /// A thread is inside of every request that is revoked.
  static NativeCalls.Replacement inside() {
    return NativeCalls.replace(
        "uv_cancel", NativeCalls.failing("uv_cancel", UvErrors.code("EBUSY")));
  }

  /// That call fails with the code of that name.
  static NativeCalls.Replacement failing(String call, String code) {
    return NativeCalls.replace(call, NativeCalls.failing(call, UvErrors.code(code)));
  }

  /// That is run before each call, on whatever thread makes it.
  static NativeCalls.Replacement before(String call, Runnable first) {
    MethodHandle real = NativeCalls.target(call);
    MethodHandle run;
    try {
      run = MethodHandles.lookup().bind(first, "run", MethodType.methodType(void.class));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
    return NativeCalls.replace(
        call,
        MethodHandles.foldArguments(
            real, MethodHandles.dropArguments(run, 0, real.type().parameterList())));
  }

  /// That call fails so the nth time.
  static NativeCalls.Replacement failing(String call, String code, int nth) {
    return NativeCalls.replace(call, NativeCalls.failing(call, UvErrors.code(code), nth));
  }
}
