// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import org.jspecify.annotations.Nullable;

/// It was given away, and nobody said what became of it: it may have been done, once, or not at
/// all. Whoever does it again may do it twice.
public final class UnknownOutcomeException extends ClusterException {
  private static final long serialVersionUID = 1L;

  /// It is unknown: the message says what.
  public UnknownOutcomeException(String message) {
    super(message);
  }

  /// It is unknown because of something else.
  public UnknownOutcomeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
