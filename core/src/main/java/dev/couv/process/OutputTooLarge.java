// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import java.io.IOException;

/// A child wrote more than it was allowed to. It has been killed.
public final class OutputTooLarge extends IOException {
  private static final long serialVersionUID = 1L;

  OutputTooLarge(String message) {
    super(message);
  }
}
