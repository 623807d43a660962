// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.couv.coro.Body;
import dev.couv.coro.Cancelled;
import dev.couv.coro.CapturedLog;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.coro.Outcome;
import dev.couv.pool.LoopPool;
import dev.couv.testing.InLoop;
import dev.couv.testing.Tries;
import dev.couv.time.Time;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The PostgreSQL driver with HikariCP in coroutines: directly on the engine that carries them, elsewhere on threads beside.
@Tag("servers")
class PostgresTest {
  private static final String SLEEP = "select pg_sleep(3600)";

  private static PostgresServer server;

  /// Of a connection of the test's own, beside the pool that is tested.
  private DataSource other;

  @BeforeAll
  static void start() throws Exception {
    server = PostgresServer.open();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @BeforeEach
  void makeOther() {
    other = server.source();
  }

  private static int number(DataSource source, String query) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return number(connection, query);
    }
  }

  private static int number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getInt(1);
    }
  }

  private static void run(DataSource source, String command) throws SQLException {
    try (Connection connection = source.getConnection()) {
      run(connection, command);
    }
  }

  private static void run(Connection connection, String command) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(command);
    }
  }

  /// Waits until so many connections are in the middle of it.
  private void untilRunning(int count, String query) throws Exception {
    String counted =
        "select count(*) from pg_stat_activity where state = 'active' and query = '%s'"
            .formatted(query.replace("'", "''"));
    while (Loop.offload(() -> number(other, counted)) != count) {
      Time.sleep(Duration.ofMillis(5));
    }
  }

  private static HikariPoolMXBean state(HikariDataSource pool) {
    return pool.getHikariPoolMXBean();
  }

  /// Connections that were given up are closed by a thread of the pool.
  private static void untilConnections(HikariDataSource pool, int count) {
    while (state(pool).getTotalConnections() != count) {
      Time.sleep(Duration.ofMillis(1));
    }
  }

  // ---- many

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void hundredsShareAPool() throws Exception {
    try (HikariDataSource pool = server.pool(10)) {
      assertEquals(
          IntStream.rangeClosed(1, 300).boxed().toList(),
          Crowd.all(300, 300, each -> number(pool, "select " + each + " + 1")));
      assertTrue(state(pool).getTotalConnections() <= 10);
      assertEquals(0, state(pool).getActiveConnections());
    }
  }

  @InLoop
  @Test
  void hundredsShareAPoolOnThreadsBeside() throws Exception {
    try (HikariDataSource pool = Loop.offload(() -> server.pool(10))) {
      assertEquals(
          IntStream.rangeClosed(1, 200).boxed().toList(),
          Crowd.all(200, 10, each -> Loop.offload(() -> number(pool, "select " + each + " + 1"))));
    }
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void severalLoopsShareAPool() throws Exception {
    try (HikariDataSource connections = server.pool(4);
        LoopPool loops = LoopPool.open(3)) {
      assertEquals(
          IntStream.rangeClosed(1, 100).boxed().toList(),
          loops.map(
              IntStream.range(0, 100).boxed().toList(),
              each -> number(connections, "select " + each + " + 1")));
    }
  }

  /// On a loop that is held the one would wait for ever for the lock that the other is about to release.
  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void oneThatWaitsForTheServerHoldsNobodyUp() throws Exception {
    try (HikariDataSource pool = server.pool(2);
        Connection holder = pool.getConnection()) {
      run(holder, "select pg_advisory_lock(7)");
      String lock = "select pg_advisory_lock(7), pg_advisory_unlock(7)";
      Coroutine<?> waiter = Coroutine.spawn(() -> run(pool, lock));
      untilRunning(1, lock);

      run(holder, "select pg_advisory_unlock(7)");

      waiter.await();
    }
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void nothingPins() throws Exception {
    Recorded.assertNothingPins(
        () -> {
          try (HikariDataSource pool = server.pool(4)) {
            Crowd.all(100, 100, _ -> number(pool, "select 1"));
          }
        });
  }

  // ---- cancelling

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void aCancelledQueryGivesItsConnectionUpAndTheServerEndsIt() throws Exception {
    try (HikariDataSource pool = server.pool(2)) {
      Coroutine<?> sleeper = Coroutine.spawn(() -> run(pool, SLEEP));
      untilRunning(1, SLEEP);

      sleeper.cancel();

      Throwable cancelled = assertThrows(CancellationException.class, sleeper::await);
      SQLException failure = assertInstanceOf(SQLException.class, cancelled.getCause().getCause());
      assertEquals("08006", failure.getSQLState());
      assertInstanceOf(SocketException.class, failure.getCause());
      untilConnections(pool, 0);
      assertEquals(1, number(pool, "select 1"));
      untilRunning(0, SLEEP);
    }
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void manyCancelledAtOnceLeaveThePoolWhole() throws Exception {
    try (HikariDataSource pool = server.pool(10)) {
      List<Coroutine<?>> sleepers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        sleepers.add(Coroutine.spawn(() -> run(pool, SLEEP)));
      }
      untilRunning(10, SLEEP);

      sleepers.forEach(Coroutine::cancel); // ten in the middle of it, the others waiting for one

      for (Coroutine<?> each : sleepers) {
        assertThrows(CancellationException.class, each::await);
      }
      assertEquals(0, state(pool).getActiveConnections());
      assertEquals(0, state(pool).getThreadsAwaitingConnection());
      Crowd.all(50, 50, _ -> number(pool, "select 1"));
      untilRunning(0, SLEEP);
    }
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void aCancelledTransactionIsRolledBack() throws Exception {
    run(other, "create table if not exists things (name text)");
    try (HikariDataSource pool = server.pool(2)) {
      Coroutine<?> writer =
          Coroutine.spawn(
              () -> {
                try (Connection connection = pool.getConnection()) {
                  connection.setAutoCommit(false);
                  run(connection, "insert into things values ('half')");
                  run(connection, SLEEP);
                  connection.commit();
                }
              });
      untilRunning(1, SLEEP);

      writer.cancel();

      assertThrows(CancellationException.class, writer::await);
      untilRunning(0, SLEEP);
      assertEquals(0, number(pool, "select count(*) from things"));
    }
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void aTimeoutIsACancelThatLeavesTheCoroutineAlive() throws Exception {
    try (HikariDataSource pool = server.pool(1)) {
      assertThrows(
          TimeoutException.class,
          () -> Time.timeout(Duration.ofMillis(50), () -> run(pool, SLEEP)));

      assertEquals(1, number(pool, "select 1"));
    }
  }

  /// The driver asks the server to end the query, which leaves the connection as good as before.
  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void theDriversOwnTimeoutKeepsTheConnection() throws Exception {
    try (HikariDataSource pool = server.pool(1);
        Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);

      SQLException failure = assertThrows(SQLException.class, () -> statement.execute(SLEEP));

      assertEquals("57014", failure.getSQLState());
      assertEquals(1, number(connection, "select 1"));
    }
  }

  /// The recipe of the manual for keeping the connection of a query that is cancelled.
  private static <T> T keeping(Statement statement, Body<T> query) throws Exception {
    Coroutine<Outcome<T>> running =
        Coroutine.spawn(
            () ->
                Coroutine.protect(
                    () -> {
                      try {
                        return Outcome.value(query.run());
                      } catch (SQLException failure) {
                        return Outcome.<T>failure(failure);
                      }
                    }));
    try {
      return running.await().get();
    } catch (Cancelled cancelled) {
      Coroutine.protect(
          () -> {
            while (!running.status().isEnded()) {
              statement.cancel(); // again: one that comes before the query is not heard
              Time.sleep(Duration.ofMillis(10));
            }
          });
      throw cancelled;
    }
  }

  /// Whether it is cancelled before it has begun, while it begins, or in the middle.
  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void aQueryThatTheServerIsAskedToEndKeepsTheConnection() throws Exception {
    try (HikariDataSource pool = server.pool(1);
        Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      for (int micros : List.of(1, 100, 300, 1_000, 3_000, 50_000)) {
        Duration time = Duration.ofNanos(micros * 1_000L);
        assertThrows(
            TimeoutException.class,
            () -> Time.timeout(time, () -> keeping(statement, () -> statement.execute(SLEEP))));

        assertFalse(connection.isClosed());
        assertEquals(1, number(connection, "select 1"));
      }
      untilRunning(0, SLEEP);
    }
  }

  @InLoop
  @Test
  void onAVirtualThreadBesideItIsCancelledLikewise() throws Exception {
    try (HikariDataSource pool = Loop.offload(() -> server.pool(1))) {
      Coroutine<?> sleeper =
          Coroutine.spawn(
              () ->
                  Interruptible.call(
                      () -> {
                        run(pool, SLEEP);
                        return null;
                      }));
      untilRunning(1, SLEEP);

      sleeper.cancel();

      assertThrows(CancellationException.class, sleeper::await);
      untilRunning(0, SLEEP);
      assertEquals(1, Loop.offload(() -> number(pool, "select 1")));
    }
  }

  // ---- the other engine

  @Test
  @Tag("hand-over-engine")
  void directlyItHoldsTheLoopAndIsTold() throws Exception {
    Tries.oneOf(5, PostgresTest::holdTheLoop);
  }

  private static void holdTheLoop() throws Exception {
    List<String> log = new ArrayList<>();
    try (CapturedLog told = new CapturedLog();
        HikariDataSource pool = server.pool(1)) {
      Loop.run(
          LoopOptions.DEFAULT.withTurnLimit(Duration.ofMillis(100)),
          () -> {
            Coroutine.spawn(
                    () -> {
                      run(pool, "select pg_sleep(0.4)");
                      log.add("slept");
                    })
                .named("sleeper");
            Coroutine.spawn(() -> log.add("other"));
          });

      assertEquals(List.of("slept", "other"), log);
      assertTrue(
          told.messages().stream()
              .anyMatch(
                  each -> each.contains("sleeper held its loop") && each.contains("postgres")),
          () -> told.messages().toString());
    }
  }
}
