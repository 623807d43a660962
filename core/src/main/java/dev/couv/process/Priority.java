// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.uv.Memory;
import dev.couv.uv.UvEnv;
import java.io.IOException;

/// How much a process gets when there is not enough for all: from -20, the most, to 19, the least. The six
/// that have names are the same on every system.
public record Priority(int nice) {
  public static final Priority HIGHEST = new Priority(-20);
  public static final Priority HIGH = new Priority(-14);
  public static final Priority ABOVE_NORMAL = new Priority(-7);
  public static final Priority NORMAL = new Priority(0);
  public static final Priority BELOW_NORMAL = new Priority(10);
  public static final Priority LOW = new Priority(19);

  public Priority {
    if (nice < -20 || nice > 19) {
      throw new IllegalArgumentException("a priority is from -20 to 19, not " + nice);
    }
  }

  /// Of this process; on Linux, of its first thread.
  public static Priority get() throws IOException {
    return get(ProcessHandle.current().pid());
  }

  public static Priority get(long pid) throws IOException {
    long at = NativeMemory.check(Memory.calloc(1, Integer.BYTES));
    try {
      Failures.check(
          UvEnv.uv_os_getpriority(checked(pid), at), "get the priority of", "process " + pid);
      return new Priority(Memory.getInt(at));
    } finally {
      Memory.free(at);
    }
  }

  /// Changes it. Only a privileged process may give more than there was.
  public static void set(long pid, Priority priority) throws IOException {
    Failures.check(
        UvEnv.uv_os_setpriority(checked(pid), priority.nice),
        "set the priority of",
        "process " + pid);
  }

  /// Likewise, by the number.
  ///
  /// @throws IllegalArgumentException if it is not from -20 to 19
  public static void set(long pid, int nice) throws IOException {
    set(pid, new Priority(nice));
  }

  /// Its name, or `OTHER`.
  public String name() {
    return switch (nice) {
      case -20 -> "HIGHEST";
      case -14 -> "HIGH";
      case -7 -> "ABOVE_NORMAL";
      case 0 -> "NORMAL";
      case 10 -> "BELOW_NORMAL";
      case 19 -> "LOW";
      default -> "OTHER";
    };
  }

  private static int checked(long pid) {
    if (pid <= 0 || pid > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("there is no process " + pid);
    }
    return (int) pid;
  }

  @Override
  public String toString() {
    return name() + " (" + nice + ")";
  }
}
