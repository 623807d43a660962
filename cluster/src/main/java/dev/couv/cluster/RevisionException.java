// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import org.jspecify.annotations.Nullable;

/// A key was not as it was expected to be: somebody else has changed it, and nothing was written.
public final class RevisionException extends ClusterException {
  private static final long serialVersionUID = 1L;

  /// It was not: the message says which key, and what was expected.
  public RevisionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
