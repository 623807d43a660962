// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a cluster is connected, and what is left when it is not.
@Tag("servers")
@SuppressWarnings("try") // some are only there
class ClusterConnectTest extends ServerFixture {
  @TempDir Path folder;

  @Test
  void whereThereIsNoServerNothingIsLeft() throws Exception {
    String url = server.url();
    kill();

    ClusterException told =
        assertThrows(ClusterException.class, () -> Cluster.connect(options, url));

    assertTrue(told.getMessage().contains(url), told::getMessage);
    restart();
  }

  @Test
  void aCancelledConnectLeavesNothing() throws Exception {
    try (Wire wire = Wire.to(server)) {
      wire.hold(); // the server's first word does not come
      Coroutine<Cluster> connecting = Coroutine.spawn(() -> join(wire));
      until(() -> !NoThreadsLeft.left().isEmpty());

      connecting.cancel();

      Await.settle(connecting);
      until(() -> NoThreadsLeft.left().isEmpty());
    }
  }

  /// A machine that is busy may need more than the usual two seconds to say who it is.
  private NatsServer guarded(String by) throws Exception {
    String text = "authorization { " + by + ", timeout: 60 }\n";
    Path config = Files.writeString(folder.resolve("nats.conf"), text);
    return Loop.offload(() -> NatsServer.open("--config", config.toString()));
  }

  @Test
  void wrongCredentialsAreToldAndRightOnesLetIn() throws Exception {
    try (NatsServer guarded = guarded("user: ann, password: s3cret")) {
      ClusterOptions wrong =
          options
              .withConnectTimeout(Duration.ofSeconds(2))
              .withCredentials(Credentials.user("ann", "guess"));
      ClusterOptions right = options.withCredentials(Credentials.user("ann", "s3cret"));
      ClusterException told =
          assertThrows(ClusterException.class, () -> Cluster.connect(wrong, guarded.url()));
      assertTrue(!told.getMessage().contains("guess"), told::getMessage);
      try (Cluster cluster = Cluster.connect(right, guarded.url())) {
        cluster.flush();
      }
    }
  }

  @Test
  void aTokenLetsIn() throws Exception {
    try (NatsServer guarded = guarded("token: t0ken")) {
      ClusterOptions nobody = options.withConnectTimeout(Duration.ofSeconds(2));
      assertThrows(ClusterException.class, () -> Cluster.connect(nobody, guarded.url()));
      try (Cluster cluster =
          Cluster.connect(options.withCredentials(Credentials.token("t0ken")), guarded.url())) {
        cluster.flush();
      }
    }
  }
}
