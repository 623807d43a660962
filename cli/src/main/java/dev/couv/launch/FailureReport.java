// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/// A failure in a few lines: what it is and where in the script, and the same of its causes. Not the whole way there,
/// which is mostly through code that the script's author did not write.
final class FailureReport {
  private static final String HINT = "couv: --stacktrace shows the whole trace";

  private final Set<String> own;
  private final StringBuilder text = new StringBuilder();
  private final Set<Throwable> told = Collections.newSetFromMap(new IdentityHashMap<>());

  private FailureReport(Set<String> own) {
    this.own = own;
  }

  /// The report, whole lines, for a script of these classes.
  static String of(Throwable failure, Set<String> own) {
    FailureReport report = new FailureReport(own);
    report.tell("", failure);
    return report.text + HINT + System.lineSeparator();
  }

  private void tell(String how, Throwable failure) {
    if (!told.add(failure)) {
      return;
    }
    text.append(how).append(place(failure)).append(failure).append(System.lineSeparator());
    if (failure.getCause() != null) {
      tell("  caused by: ", failure.getCause());
    }
    for (Throwable suppressed : failure.getSuppressed()) {
      tell("  and also: ", suppressed);
    }
  }

  /// The line of the script that it came through last, as compilers write it; otherwise nothing.
  private String place(Throwable failure) {
    for (StackTraceElement frame : failure.getStackTrace()) {
      if (own.contains(frame.getClassName()) && frame.getFileName() != null) {
        return frame.getFileName() + ":" + frame.getLineNumber() + ": ";
      }
    }
    return "";
  }
}
