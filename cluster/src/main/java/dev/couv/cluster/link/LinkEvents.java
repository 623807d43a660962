// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.cluster.ClusterState;

/// What becomes of a link, told on its loop, in a coroutine that must not wait.
public interface LinkEvents {
  /// It is in that state now. After a time without a server whatever was on its way may be lost.
  void changed(ClusterState state);

  /// Messages came faster than they were taken: some of them are lost.
  void dropped();
}
