// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

/// A program cannot be looked into, for a reason that its message tells the user.
public final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;

  public Refusal(String message) {
    super(message);
  }

  Refusal(String message, Throwable cause) {
    super(message, cause);
  }
}
