// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Packet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Somebody at an address of the directory who has asked, and waits for answers that do not come any more when
/// the cluster is over.
interface Asked extends Consumer<Packet> {
  /// The cluster is over, for that reason or, if it is null, because it was closed.
  void lost(@Nullable Throwable reason);

  /// What whoever waits is told then.
  static Exception over(@Nullable Throwable reason) {
    return reason == null
        ? Peer.closedError()
        : new UnknownOutcomeException("the answer was lost with the connection", reason);
  }
}
