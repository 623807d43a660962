// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Something between the processes of a cluster failed: the server refused, the connection was lost
/// for good, or one of the more exact reasons that extend this.
public class ClusterException extends IOException {
  private static final long serialVersionUID = 1L;

  /// It failed: the message says what.
  public ClusterException(String message) {
    super(message);
  }

  /// It failed because of something else.
  public ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
