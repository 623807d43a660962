// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;

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

  /// That call fails so the nth time.
  static NativeCalls.Replacement failing(String call, String code, int nth) {
    return NativeCalls.replace(call, NativeCalls.failing(call, UvErrors.code(code), nth));
  }
}
