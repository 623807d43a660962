// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.util.List;

/// The other side threw. What it threw is here as text: its class, its message, and where; the
/// cause has the stack trace of the other side.
public final class RemoteFailureException extends ClusterException {
  private static final long serialVersionUID = 1L;

  private final String type;
  private final String remoteMessage;

  /// What `subject` threw at the other side.
  RemoteFailureException(
      String subject, String type, String message, List<StackTraceElement> trace) {
    super(
        subject + " failed: " + type + (message.isEmpty() ? "" : ": " + message),
        new There(type, message, trace));
    this.type = type;
    this.remoteMessage = message;
  }

  /// The name of the class that was thrown.
  public String type() {
    return type;
  }

  /// Its message; empty if it had none.
  public String remoteMessage() {
    return remoteMessage;
  }

  /// Where it was thrown.
  public List<StackTraceElement> remoteTrace() {
    Throwable there = getCause();
    return there == null ? List.of() : List.of(there.getStackTrace());
  }

  /// What was thrown at the other side, as far as it can be told here.
  private static final class There extends Exception {
    private static final long serialVersionUID = 1L;

    There(String type, String message, List<StackTraceElement> trace) {
      super(
          "at the other side: " + type + (message.isEmpty() ? "" : ": " + message),
          null,
          false,
          true);
      setStackTrace(trace.toArray(StackTraceElement[]::new));
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }
}
