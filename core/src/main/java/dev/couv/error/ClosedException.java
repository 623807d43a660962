// SPDX-License-Identifier: Apache-2.0
package dev.couv.error;

/// You closed the object this call needs, before the call or while it waited. Misuse, like every
/// `IllegalStateException`, if it was before.
public final class ClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /// Says by the message what was closed.
  public ClosedException(String message) {
    super(message);
  }
}
