// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

/// A message has more headers than are allowed.
final class TooManyHeaders extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  TooManyHeaders(int most) {
    super("more than " + most + " headers");
  }
}
