// SPDX-License-Identifier: Apache-2.0
package dev.couv.error;

/// The other side ended what this call needs, where no `IOException` says it better.
public final class BrokenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Says by the message what the other side has ended.
  public BrokenException(String message) {
    super(message);
  }
}
