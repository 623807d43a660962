// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

/// A receiver of a topic was shown out, because it did not receive as fast as others publish: it
/// has missed something, and may come in again.
public final class SlowReceiverException extends ClusterException {
  private static final long serialVersionUID = 1L;

  /// It was shown out: the message says of what.
  public SlowReceiverException(String message) {
    super(message);
  }
}
