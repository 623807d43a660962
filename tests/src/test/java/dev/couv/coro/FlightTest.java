// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Patience;
import dev.couv.testing.Tries;
import dev.couv.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the JDK's flight recorder tells of coroutines.
class FlightTest {
  private static final List<String> EVENTS =
      List.of(
          "dev.couv.CoroutineStart",
          "dev.couv.CoroutineEnd",
          "dev.couv.CoroutineAwait",
          "dev.couv.LongTurn");

  @TempDir Path directory;

  @Test
  void startsAwaitsAndEndsAreRecorded() throws Exception {
    List<RecordedEvent> events =
        recorded(
            () ->
                Loop.run(
                    () -> {
                      Coroutine<?> sleeper =
                          Coroutine.spawn(() -> Time.sleep(Duration.ofMillis(5))).named("sleeper");
                      Coroutine<?> failing = Coroutine.spawn(FlightTest::fail).named("failing");
                      failing.onEnd((value, failure) -> {});
                      try {
                        failing.await();
                      } catch (IllegalStateException expected) {
                        sleeper.await();
                      }
                    }));

    RecordedEvent start = only(events, "dev.couv.CoroutineStart", "sleeper");
    assertTrue(start.getString("site").contains("FlightTest"), start::toString);
    assertEquals("sleeper", start.getThread().getJavaName());
    RecordedEvent await = only(events, "dev.couv.CoroutineAwait", "sleeper");
    assertTrue(await.getString("awaited").startsWith("Time.sleep"), await::toString);
    assertEquals("COMPLETED", await.getString("ended"));
    // How long is the clock's: it may have been off its processor between choosing the moment and
    // waiting.
    assertTrue(await.getDuration().isPositive(), await::toString);
    assertTrue(
        await.getStackTrace().getFrames().stream()
            .anyMatch(frame -> frame.getMethod().getType().getName().endsWith("FlightTest")),
        await::toString);
    assertEquals("DONE", only(events, "dev.couv.CoroutineEnd", "sleeper").getString("status"));
    RecordedEvent failed = only(events, "dev.couv.CoroutineEnd", "failing");
    assertEquals("FAILED", failed.getString("status"));
    assertTrue(failed.getString("failure").contains("on purpose"), failed::toString);
  }

  private static void fail() {
    throw new IllegalStateException("on purpose");
  }

  /// On a busy machine any turn may last, and the watcher may be late.
  @Test
  void aTurnThatHoldsTheLoopTooLongIsRecordedWithItsFrames() throws Exception {
    Tries.oneOf(8, this::holdTheLoopAndLook);
  }

  private void holdTheLoopAndLook() throws Exception {
    List<RecordedEvent> events =
        recorded(
            () ->
                Loop.run(
                    LoopOptions.DEFAULT.withTurnLimit(Duration.ofMillis(50)),
                    () -> {
                      Coroutine.spawn(FlightTest::holdTheLoop).named("greedy").await();
                      Coroutine.spawn(() -> Time.sleep(Duration.ofMillis(120)))
                          .named("polite")
                          .await();
                    }));

    RecordedEvent turn = only(events, "dev.couv.LongTurn", "greedy");
    assertTrue(turn.getString("frames").contains("FlightTest.holdTheLoop"), turn::toString);
    assertTrue(turn.getDuration("held").compareTo(Duration.ofMillis(150)) >= 0, turn::toString);
    assertEquals(List.of(), named(events, "dev.couv.LongTurn", "polite"));
  }

  private static void holdTheLoop() {
    long end = System.nanoTime() + 800_000_000; // long enough for a watcher that is late
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  /// It has blocked without telling, and gone on without telling: a library's code, for example.
  @Test
  @Tag("loop-scheduled-engine")
  void aTurnAfterAWaitInPlainJavaCodeIsToldWithItsFrames() throws Exception {
    try (CapturedLog told = new CapturedLog()) {
      Loop.run(
          LoopOptions.DEFAULT.withTurnLimit(Duration.ofMillis(50)),
          () ->
              Coroutine.spawn(
                      () -> {
                        Thread.sleep(1);
                        holdTheLoopUntilTold(told, "greedy");
                      })
                  .named("greedy"));

      String message = told.messages().getLast();
      assertTrue(message.contains("FlightTest.holdTheLoopUntilTold"), message);
    }
  }

  private static void holdTheLoopUntilTold(CapturedLog told, String name) {
    Patience.until(
        () -> told.messages().stream().anyMatch(each -> each.startsWith(name + " held its loop")));
  }

  @Test
  void nothingIsRecordedThatNobodyAskedFor() throws Exception {
    Path file = directory.resolve("nothing.jfr");
    try (Recording recording = new Recording()) {
      EVENTS.forEach(recording::disable);
      recording.start();
      Loop.run(() -> Time.sleep(Duration.ofMillis(1)));
      recording.stop();
      recording.dump(file);
    }

    assertEquals(
        List.of(),
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("dev.couv."))
            .toList());
  }

  /// Its module is not there in a small run-time image.
  @Test
  @Tag("jvm")
  void coroutinesRunWithoutTheRecorder() throws Exception {
    assertEquals(
        List.of("recorder: false", "ran"),
        FreshJvm.run(WithoutRecorder.class, "--limit-modules", "java.base"));
  }

  private List<RecordedEvent> recorded(Action program) throws Exception {
    Path file = directory.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      for (String name : EVENTS) {
        recording.enable(name).withoutThreshold();
      }
      recording.start();
      program.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file);
  }

  private static RecordedEvent only(List<RecordedEvent> events, String type, String coroutine) {
    List<RecordedEvent> found = named(events, type, coroutine);
    assertEquals(1, found.size(), events::toString);
    return found.getFirst();
  }

  private static List<RecordedEvent> named(
      List<RecordedEvent> events, String type, String coroutine) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals(type))
        .filter(event -> coroutine.equals(event.getString("coroutine")))
        .toList();
  }
}
