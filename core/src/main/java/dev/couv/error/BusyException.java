// SPDX-License-Identifier: Apache-2.0
package dev.couv.error;

/// Another coroutine is already awaiting this object in this direction.
public final class BusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Says by the message what another coroutine is awaiting.
  public BusyException(String message) {
    super(message);
  }
}
