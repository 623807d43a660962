// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.pool.LoopPool;
import dev.couv.sync.Chan;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What a probe tells of the loops of its own process. It is asked from another thread, as it always is.
@InLoop
@SuppressWarnings("try") // closing a scope waits, and throws what failed, an interruption included
class ProbeTest {
  private static String ask(Probe probe, String question) throws Exception {
    return Loop.offload(() -> probe.answer(question));
  }

  @Test
  void aDumpHasScopesCoroutinesAndWhatTheyAwait() throws Exception {
    try (Probe probe = new Probe();
        var crew = Scope.open().named("crew")) {
      Gate gate = new Gate();
      crew.spawn(
              () -> {
                try (var inner = Scope.open().named("inner")) {
                  inner.spawn(() -> gate.await()).named("bob");
                }
              })
          .named("ada");
      Coroutine.pause();

      String dump = ask(probe, "dump");

      assertThat(dump)
          .containsPattern("(?m)^ +scope crew, 1 active$")
          .containsPattern("(?m)^ +ada SUSPENDED, awaiting the end of scope inner for \\d+ ms")
          .containsPattern("(?m)^ +scope inner, 1 active$")
          .containsPattern("(?m)^ +bob SUSPENDED, awaiting a gate.* spawned at .*ProbeTest.java")
          .doesNotContain("couv-inspect");
      gate.open();
    }
  }

  @Test
  void cancellingReachesTheOneThatWasChosen() throws Exception {
    try (Probe probe = new Probe();
        var crew = Scope.open()) {
      Gate gate = new Gate();
      var ada = crew.spawn(() -> Time.sleep(Duration.ofHours(1))).named("ada of this test");
      var bob = crew.spawn(() -> gate.await()).named("bob");
      Coroutine.pause();
      Matcher row = Pattern.compile("0,(\\d+),\"ada of this test\"").matcher(ask(probe, "json"));
      assertTrue(row.find());

      assertEquals("cancelled ada of this test", ask(probe, "cancel coroutine " + row.group(1)));
      assertThat(ask(probe, "cancel coroutine 0")).startsWith("it has ended");
      Loop.awaitIdle();

      assertEquals("CANCELLED", ada.status().name());
      assertFalse(bob.status().name().equals("CANCELLED"));
      gate.open();
    }
  }

  @Test
  void cancellingAScopeCancelsAllOfIt() throws Exception {
    try (Probe probe = new Probe()) {
      var opener =
          Coroutine.spawn(
              () -> {
                try (var doomed = Scope.open().named("doomed")) {
                  doomed.spawn(() -> Time.sleep(Duration.ofHours(1)));
                  doomed.spawn(() -> Time.sleep(Duration.ofHours(2)));
                }
              });
      Coroutine.pause();
      Matcher row = Pattern.compile("1,(\\d+),\"scope doomed").matcher(ask(probe, "json"));
      assertTrue(row.find());

      assertThat(ask(probe, "cancel scope " + row.group(1))).startsWith("cancelled scope doomed");

      opener.await();
    }
  }

  @Test
  void aLookAtManyGivesTheOthersTheirTurns() throws Exception {
    try (Probe probe = new Probe();
        var crowd = Scope.open()) {
      for (int i = 0; i < 20_000; i++) {
        crowd.spawn(() -> Time.sleep(Duration.ofHours(1)));
      }
      Coroutine.pause();
      int[] turns = new int[1];
      var ticking =
          crowd.spawn(
              () -> {
                while (true) {
                  turns[0]++;
                  Coroutine.pause();
                }
              });

      Coroutine<String> dump = Coroutine.spawn(() -> ask(probe, "dump"));
      Time.sleep(Duration.ofMillis(1));
      int before = turns[0];
      assertThat(dump.await().lines().count()).isGreaterThan(20_000);

      assertTrue(turns[0] > before + 2, "the loop was held");
      ticking.cancel();
      crowd.cancel();
    }
  }

  @Test
  void channelsAndPoolsAreShownWithTheirQueues() throws Exception {
    Chan<String> before = Chan.create(0);
    try (Probe probe = new Probe();
        var pool = LoopPool.open(1);
        var scope = Scope.open()) {
      Chan<String> later = Chan.create(3);
      later.send("x");
      scope.spawn(() -> before.receive());
      Coroutine.pause();

      String json = ask(probe, "json");

      assertThat(json)
          .contains("\"values\":0,\"capacity\":0,\"senders\":0,\"receivers\":1")
          .contains("\"values\":1,\"capacity\":3,\"senders\":0,\"receivers\":0")
          .contains("\"kind\":\"pool\",\"name\":\"" + pool + "\"");
      before.send("y");
      later.close();
    }
  }

  @Test
  void samplesTellHowTheLoopIsDoing() throws Exception {
    try (Probe probe = new Probe()) {
      String look = ask(probe, "look 10 0");
      while (!look.matches("(?s).*\"points\":\\[\\[\\d+,\\d+,\\d+.*")) {
        Time.sleep(Duration.ofMillis(50));
        look = ask(probe, "look 10 0");
      }
      assertThat(ask(probe, "top")).containsPattern("(?m)^loop\t\\d+\t.*\trunning\t");
    }
    assertFalse(
        Thread.getAllStackTraces().keySet().stream()
            .anyMatch(thread -> thread.getName().equals("couv-inspect-samples")));
  }

  @Test
  void turnsAreTimed() throws Exception {
    try (Probe probe = new Probe();
        var crew = Scope.open()) {
      crew.spawn(ProbeTest::computeNowAndThen);
      String dump = ask(probe, "dump");
      assertThat(dump).doesNotContain("in the last second");
      ask(probe, "look 10 0");
      while (!longest(dump = ask(probe, "dump"))) {
        Time.sleep(Duration.ofMillis(50));
      }

      assertThat(dump)
          .containsPattern("last second \\d+ turns of \\d.* on average, p99 \\d.*; lag");
      crew.cancel();
    }
  }

  /// Whether a turn of 30 ms or more is told of.
  private static boolean longest(String dump) {
    Matcher max = Pattern.compile(", max (\\d+)[\\d.]* (ms|s);").matcher(dump);
    return max.find() && (max.group(2).equals("s") || Integer.parseInt(max.group(1)) >= 30);
  }

  private static void computeNowAndThen() throws Exception {
    while (true) {
      long end = System.nanoTime() + 30_000_000;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      Time.sleep(Duration.ofMillis(100));
    }
  }

  @Test
  void aBusyLoopIsShownWithItsStack() throws Exception {
    try (Probe probe = new Probe();
        LoopPool pool = LoopPool.open(1)) {
      boolean[] over = new boolean[1];
      var busy =
          pool.submit(
              () -> {
                while (!Thread.currentThread().isInterrupted() && !isOver(over)) {
                  Thread.onSpinWait();
                }
              });
      String dump = ask(probe, "dump");
      while (!dump.contains("it has not answered for a second")) {
        dump = ask(probe, "dump");
      }

      assertThat(dump).contains("busy").contains("ProbeTest.lambda$aBusyLoopIsShownWithItsStack");
      synchronized (over) {
        over[0] = true;
      }
      busy.await();
    }
  }

  private static boolean isOver(boolean[] over) {
    synchronized (over) {
      return over[0];
    }
  }
}
