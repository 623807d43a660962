// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

/// There is no libuv that Couv can use: none was found, or only one that is too old.
///
/// The message says what was tried, what was found and how to install it. Every call into libuv
/// throws it again, with the same message.
public final class UvLibraryError extends Error {
  private static final long serialVersionUID = 1;

  UvLibraryError(String message) {
    super(message);
  }
}
