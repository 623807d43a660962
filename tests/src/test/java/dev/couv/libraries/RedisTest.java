// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.CapturedLog;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.coro.Status;
import dev.couv.testing.InLoop;
import dev.couv.testing.Tries;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisConnectionException;

/// Jedis in coroutines: directly on the engine that carries them, elsewhere on threads beside.
@Tag("servers")
class RedisTest {
  private static RedisServer server;

  @BeforeAll
  static void start() throws Exception {
    server = RedisServer.open();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  /// Waits until so many clients of the server are in a command that blocks.
  private static void untilBlocked(RedisClient client, int count) throws Exception {
    String wanted = "blocked_clients:" + count + "\r\n";
    while (!Loop.offload(() -> client.info("clients")).contains(wanted)) {
      Time.sleep(Duration.ofMillis(2));
    }
  }

  // ---- many

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void hundredsShareAPool() throws Exception {
    try (RedisClient client = server.client(8)) {
      List<Long> counted = Crowd.all(500, 500, _ -> client.incr("directly"));

      assertEquals(
          LongStream.rangeClosed(1, 500).boxed().toList(), counted.stream().sorted().toList());
      assertTrue(client.getPool().getCreatedCount() <= 8);
      assertEquals(0, client.getPool().getNumActive());
    }
  }

  @InLoop
  @Test
  void hundredsShareAPoolOnThreadsBeside() throws Exception {
    try (RedisClient client = server.client(8)) {
      Crowd.all(300, 8, _ -> Loop.offload(() -> client.incr("beside")));

      assertEquals("300", Loop.offload(() -> client.get("beside")));
    }
  }

  /// On a loop that is held the one would wait for ever for what the other is about to push.
  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void oneThatWaitsForTheServerHoldsNobodyUp() throws Exception {
    try (RedisClient client = server.client(2)) {
      Coroutine<List<String>> popper = Coroutine.spawn(() -> client.blpop(0, "meeting"));
      untilBlocked(client, 1);

      client.rpush("meeting", "hello");

      assertEquals(List.of("meeting", "hello"), popper.await());
    }
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void nothingPins() throws Exception {
    Recorded.assertNothingPins(
        () -> {
          try (RedisClient client = server.client(4)) {
            Crowd.all(100, 100, _ -> client.incr("pinned"));
          }
        });
  }

  // ---- cancelling

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void aCancelledPopGivesItsConnectionUpAndTakesNothing() throws Exception {
    try (RedisClient client = server.client(2)) {
      Coroutine<?> popper = Coroutine.spawn(() -> client.blpop(0, "left"));
      untilBlocked(client, 1);

      popper.cancel();

      Throwable cancelled = assertThrows(CancellationException.class, popper::await);
      assertInstanceOf(JedisConnectionException.class, cancelled.getCause().getCause());
      untilBlocked(client, 0);
      client.rpush("left", "kept");
      assertEquals("kept", client.lpop("left"));
      assertEquals(0, client.getPool().getNumActive());
      assertEquals(1, client.getPool().getDestroyedCount());
    }
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void manyCancelledAtOnceLeaveThePoolWhole() throws Exception {
    try (RedisClient client = server.client(10)) {
      List<Coroutine<?>> poppers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        poppers.add(Coroutine.spawn(() -> client.blpop(0, "never")));
      }
      try (RedisClient other = server.client(1)) {
        untilBlocked(other, 10);
        poppers.forEach(
            Coroutine::cancel); // ten in the middle of it, the others waiting for a connection
        for (Coroutine<?> each : poppers) {
          assertThrows(CancellationException.class, each::await);
        }
        untilBlocked(other, 0);
      }

      assertEquals(0, client.getPool().getNumActive());
      assertEquals(0, client.getPool().getNumWaiters());
      assertEquals("PONG", client.ping());
    }
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void aTimeoutIsACancelThatLeavesTheCoroutineAlive() throws Exception {
    try (RedisClient client = server.client(1)) {
      assertThrows(
          TimeoutException.class,
          () -> Time.timeout(Duration.ofMillis(20), () -> client.blpop(0, "never")));

      assertEquals("PONG", client.ping());
    }
  }

  /// A time of its own ends with a good connection.
  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void theServersOwnTimeoutKeepsTheConnection() throws Exception {
    try (RedisClient client = server.client(1)) {
      assertNull(client.blpop(0.01, "never"));

      assertEquals(1, client.getPool().getCreatedCount());
      assertEquals(0, client.getPool().getDestroyedCount());
    }
  }

  @InLoop
  @Test
  void onAVirtualThreadBesideItIsCancelledLikewise() throws Exception {
    try (RedisClient client = server.client(2)) {
      Coroutine<?> popper =
          Coroutine.spawn(() -> Interruptible.call(() -> client.blpop(0, "nothing")));
      untilBlocked(client, 1);

      popper.cancel();

      assertThrows(CancellationException.class, popper::await);
      untilBlocked(client, 0);
      assertEquals("PONG", Loop.offload(client::ping));
    }
  }

  /// A platform thread in socket I/O does not notice its interrupt: the coroutine goes, the call stays until the server answers.
  @InLoop
  @Test
  void anOffloadedPopIsLeftAndGoesOn() throws Exception {
    try (RedisClient client = server.client(2)) {
      Coroutine<?> popper = Coroutine.spawn(() -> Loop.offload(() -> client.blpop(0, "offloaded")));
      untilBlocked(client, 1);

      popper.cancel();
      assertThrows(CancellationException.class, popper::await);

      untilBlocked(client, 1);
      Loop.offload(() -> client.rpush("offloaded", "lost"));
      untilBlocked(client, 0);
      assertNull(Loop.offload(() -> client.lpop("offloaded")));
    }
  }

  // ---- the other engine

  @Test
  @Tag("hand-over-engine")
  void directlyItHoldsTheLoopAndIsTold() throws Exception {
    Tries.oneOf(5, RedisTest::holdTheLoop);
  }

  private static void holdTheLoop() throws Exception {
    List<String> log = new ArrayList<>();
    try (CapturedLog told = new CapturedLog();
        RedisClient client = server.client(1)) {
      Loop.run(
          LoopOptions.DEFAULT.withTurnLimit(Duration.ofMillis(100)),
          () -> {
            Coroutine<?> popper =
                Coroutine.spawn(
                        () -> {
                          assertNull(client.blpop(0.4, "never"));
                          log.add("popped");
                        })
                    .named("popper");
            Coroutine.spawn(() -> log.add("other"));
            popper.await();
            assertEquals(Status.DONE, popper.status());
          });

      assertEquals(List.of("popped", "other"), log);
      assertTrue(
          told.messages().stream()
              .anyMatch(each -> each.contains("popper held its loop") && each.contains("blpop")),
          () -> told.messages().toString());
    }
  }
}
