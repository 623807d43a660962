// SPDX-License-Identifier: Apache-2.0
package dev.couv.error;

/// You closed the object this call needs, before the call or while it waited.
public final class ClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClosedException(String message) {
    super(message);
  }
}
