// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import java.io.IOException;

/// A call on files fails with that code; whoever made it knows what it was about.
final class Errno extends IOException {
  private static final long serialVersionUID = 1L;

  private final String code;

  Errno(String code) {
    super(code, null);
    this.code = code;
  }

  String code() {
    return code;
  }
}
