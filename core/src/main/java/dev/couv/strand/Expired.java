// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Wording;

/// The deadline of a region was reached and its body has unwound. Its cause is what came out of the
/// body.
public final class Expired extends Exception {
  private static final long serialVersionUID = 1L;

  Expired(Throwable unwinding) {
    super(Wording.of(unwinding), unwinding);
  }
}
