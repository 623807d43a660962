// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

/// Nobody in the cluster serves that name: nothing was done.
public final class NoServerException extends ClusterException {
  private static final long serialVersionUID = 1L;

  /// Nobody is there: the message says for what.
  public NoServerException(String message) {
    super(message);
  }
}
