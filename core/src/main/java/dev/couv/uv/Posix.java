// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.NativeCalls.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// What libuv does not do for a virtual machine, asked of the system itself. A failed call answers
/// the negated `errno`, as libuv's do. Any thread.
public final class Posix {
  private static final MethodHandle SIGACTION =
      NativeCalls.bindErrno(
          "sigaction", FunctionDescriptor.of(JAVA_INT, JAVA_INT, POINTER, POINTER));

  /// More than any system's `struct sigaction` takes: it is put back as it was found.
  public static final long SIGACTION_ROOM = 256;

  private Posix() {}

  /// Sets what `act` says, unless it is 0, and tells in `oldact` what was there, unless that is 0.
  public static int sigaction(int signum, long act, long oldact) {
    try {
      return (int) SIGACTION.invokeExact(signum, act, oldact);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
