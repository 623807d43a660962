// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

/// The cluster within one process keeps what every cluster promises.
class LocalClusterTest extends Conformance {
  @Override
  Cluster join(ClusterOptions options) {
    return Cluster.local(options.space(), options);
  }
}
