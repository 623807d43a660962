// SPDX-License-Identifier: Apache-2.0
package dev.couv.error;

import java.io.IOException;

/// A failure of the world: what libuv or the system answered, the call that was told so, and what
/// that call was about.
public final class UvException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final int errno;
  private final String call;
  private final String subject;

  /// `description` is libuv's text for the code.
  public UvException(String code, int errno, String description, String call, String subject) {
    super(call + " " + subject + ": " + description + " (" + code + ")");
    this.code = code;
    this.errno = errno;
    this.call = call;
    this.subject = subject;
  }

  /// The symbolic name, such as `"ECONNREFUSED"`.
  public String code() {
    return code;
  }

  /// The system's number for it, positive.
  public int errno() {
    return errno;
  }

  /// What was being done, such as `"connect"`.
  public String call() {
    return call;
  }

  /// What it was done to, such as `"10.0.0.7:80"`.
  public String subject() {
    return subject;
  }
}
