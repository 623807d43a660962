// SPDX-License-Identifier: Apache-2.0
package dev.couv.error;

/// The other side ended what this call needs, where no `IOException` says it better.
public final class BrokenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// The other side has ended it: the message says what.
  public BrokenException(String message) {
    super(message);
  }
}
