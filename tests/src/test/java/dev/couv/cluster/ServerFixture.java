// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Loop;
import dev.couv.testing.InLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/// A server for each test, those who join it, and the other processes of their cluster.
@InLoop
@ExtendWith(NoThreadsLeft.class)
abstract class ServerFixture {
  static final Codec<Integer> NUMBER = Codec.json(Integer.class);

  final String space = "f" + System.nanoTime();
  final ClusterOptions options =
      ClusterOptions.DEFAULT
          .withSpace(space)
          .withConnectTimeout(Duration.ofMinutes(1))
          .withGrace(Duration.ofSeconds(2))
          .withBackoff(Duration.ofMillis(20))
          .withLongestBackoff(Duration.ofMillis(200));
  NatsServer server;

  @BeforeEach
  final void start() throws Exception {
    server = NatsServer.open();
  }

  @AfterEach
  final void stop() throws Exception {
    server.close();
  }

  final Cluster join() throws Exception {
    return join(options);
  }

  final Cluster join(ClusterOptions how) throws Exception {
    return Cluster.connect(how, server.url());
  }

  final Cluster join(Wire by) throws Exception {
    return join(options, by);
  }

  final Cluster join(ClusterOptions how, Wire by) throws Exception {
    return Cluster.connect(how, by.url());
  }

  /// Another process, with that part of the [ClusterProgram].
  final OtherProcess program(String part) throws Exception {
    return OtherProcess.start(server.url(), space, part);
  }

  final void kill() throws Exception {
    Loop.offload(
        () -> {
          server.kill();
          return true;
        });
  }

  final void restart() throws Exception {
    Loop.offload(
        () -> {
          server.restart();
          return true;
        });
  }

  final void signal(String name) throws Exception {
    Loop.offload(
        () -> {
          server.signal(name);
          return true;
        });
  }

  static void until(Conformance.Awaited holds) throws Exception {
    Conformance.until(holds);
  }

  static List<ClusterState> watched(Cluster cluster) throws Exception {
    List<ClusterState> states = new ArrayList<>();
    cluster.states().subscribe((state, error) -> states.add(state));
    return states;
  }

  /// Exactly that, once those who are told have had their turn.
  static void awaitReconnected(List<ClusterState> states) throws Exception {
    until(() -> states.size() >= 2);
    assertEquals(List.of(ClusterState.RECONNECTING, ClusterState.CONNECTED), states);
  }
}
