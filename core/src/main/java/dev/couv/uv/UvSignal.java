// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.NativeCalls.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Signals: `uv_signal_t`.
///
/// Stopping the last watcher of a signal sets the default action of the system, not the handler
/// that the VM had before.
public final class UvSignal {
  private static final MethodHandle INIT =
      NativeCalls.bind("uv_signal_init", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle START =
      NativeCalls.bind(
          "uv_signal_start", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT));
  private static final MethodHandle STOP =
      NativeCalls.bind("uv_signal_stop", FunctionDescriptor.of(JAVA_INT, POINTER));

  private UvSignal() {}

  public static int uv_signal_init(long loop, long signal) {
    try {
      return (int) INIT.invokeExact(loop, signal);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_signal_start(long signal, long cb, int signum) {
    try {
      return (int) START.invokeExact(signal, cb, signum);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_signal_stop(long signal) {
    try {
      return (int) STOP.invokeExact(signal);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
