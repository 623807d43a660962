// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import org.jspecify.annotations.Nullable;

/// A value could not be made into bytes, or bytes not into a value, or they are too many. Nothing
/// else is stopped by it.
public final class CodecException extends ClusterException {
  private static final long serialVersionUID = 1L;

  /// It could not: the message says what, and for what.
  public CodecException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
