// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

/// A head that is none (RFC 9113, 8.1.1): its stream is reset, and nobody answers.
final class Malformed extends Exception {
  private static final long serialVersionUID = 1L;

  Malformed(String message) {
    super(message, null, false, false);
  }
}
