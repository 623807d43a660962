// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/// A cluster by a server of NATS keeps what every cluster promises.
@Tag("servers")
class NatsClusterTest extends Conformance {
  private static NatsServer server;

  @BeforeAll
  static void start() throws Exception {
    server = NatsServer.open();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Override
  Cluster join(ClusterOptions options) throws Exception {
    return Cluster.connect(options, server.url());
  }
}
