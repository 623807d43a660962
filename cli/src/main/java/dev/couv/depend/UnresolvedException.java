// SPDX-License-Identifier: Apache-2.0
package dev.couv.depend;

/// A library that is not to be had. The message says which, and why, for whoever asked for it.
public final class UnresolvedException extends Exception {
  private static final long serialVersionUID = 1;

  UnresolvedException(String message, Throwable cause) {
    super(message, cause);
  }
}
