// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/// Stack traces without what every coroutine has at the bottom: the runtime and the launcher.
final class Traces {
  private Traces() {}

  /// Cuts the trace of a failure, of its causes and of those suppressed by it.
  static void cut(Throwable failure) {
    cut(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static void cut(Throwable failure, Set<Throwable> done) {
    if (!done.add(failure)) {
      return;
    }
    StackTraceElement[] frames = failure.getStackTrace();
    int length = frames.length;
    while (length > 0 && isOurs(frames[length - 1].getClassName())) {
      length--;
    }
    failure.setStackTrace(Arrays.copyOf(frames, length));
    if (failure.getCause() != null) {
      cut(failure.getCause(), done);
    }
    for (Throwable suppressed : failure.getSuppressed()) {
      cut(suppressed, done);
    }
  }

  private static boolean isOurs(String className) {
    return className.startsWith("dev.couv.launch.")
        || className.startsWith("dev.couv.coro.")
        || className.startsWith("dev.couv.strand.")
        || className.startsWith("picocli.")
        || className.startsWith("java.lang.VirtualThread");
  }
}
