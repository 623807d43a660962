// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Wording;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// What the JDK's flight recorder is told of coroutines. Its module may be absent, and then nothing here
/// is ever loaded. While nothing is recorded, each question is a constant, or the reading of a field:
/// what it would cost to answer is only paid after a yes. Nor are there events before something has been recorded: with the
/// first of them the JDK prepares all that it has itself, which takes as long as the rest of a small program.
@SuppressWarnings("UnusedVariable") // the recorder reads the fields of events
final class Flight {
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  /// Who else is told: a constant, because it is chosen before the first coroutine.
  private static final @Nullable Journal JOURNAL = Journal.Choice.made();

  private Flight() {}

  /// Whether anything is recorded, or was: a recording that begins later finds the events.
  private static boolean isRecording() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  static boolean isStartRecorded() {
    return JOURNAL != null || (isRecording() && Events.START.isEnabled());
  }

  static boolean isEndRecorded() {
    return JOURNAL != null || (isRecording() && Events.END.isEnabled());
  }

  static boolean isAwaitRecorded() {
    return JOURNAL != null || (isRecording() && Events.AWAIT.isEnabled());
  }

  static boolean isLongTurnRecorded() {
    return isRecording() && Events.LONG_TURN.isEnabled();
  }

  static void started(Named strand, Object site, Object scope) {
    if (JOURNAL != null) {
      JOURNAL.started(strand, site.toString(), scope.toString());
    }
    if (isRecording() && Events.START.isEnabled()) {
      CoroutineStart event = new CoroutineStart();
      event.coroutine = strand.name();
      event.site = site.toString();
      event.scope = scope.toString();
      event.commit();
    }
  }

  static void ended(Named strand, String status, @Nullable Throwable failure) {
    if (JOURNAL != null) {
      JOURNAL.ended(strand, status);
    }
    if (isRecording() && Events.END.isEnabled()) {
      CoroutineEnd event = new CoroutineEnd();
      event.coroutine = strand.name();
      event.status = status;
      event.failure = failure == null ? null : Wording.of(failure);
      event.commit();
    }
  }

  /// The await begins. The caller keeps what is returned until it ends.
  static Object await(Named strand, Object awaited) {
    Object event =
        isRecording() && Events.AWAIT.isEnabled() ? AwaitRecord.begun(strand.name(), awaited) : "";
    return JOURNAL == null ? event : new Noted(JOURNAL.awaits(strand, Wording.of(awaited)), event);
  }

  /// The await that was recorded is over; null if it was not.
  static void awaited(@Nullable Object begun, Enum<?> wake) {
    if (begun == null) {
      return;
    }
    String how = wake.name();
    Object event = begun;
    if (begun instanceof Noted noted && JOURNAL != null) {
      JOURNAL.awaited(noted.note, how);
      event = noted.event;
    }
    if (PRESENT) {
      AwaitRecord.ended(event, how);
    }
  }

  /// What both are to be told when an await ends.
  private record Noted(Object note, Object event) {}

  /// Where the recorder is there.
  private static final class AwaitRecord {
    private AwaitRecord() {}

    static Object begun(String coroutine, Object awaited) {
      CoroutineAwait event = new CoroutineAwait();
      event.coroutine = coroutine;
      event.awaited = Wording.of(awaited);
      event.begin();
      return event;
    }

    static void ended(Object begun, String how) {
      if (begun instanceof CoroutineAwait event) {
        event.end();
        if (event.shouldCommit()) {
          event.ended = how;
          event.commit();
        }
      }
    }
  }

  static void longTurn(String coroutine, long nanos, String frames) {
    LongTurn event = new LongTurn();
    event.coroutine = coroutine;
    event.held = nanos;
    event.frames = frames;
    event.commit();
  }

  /// One of each, to ask whether it is recorded.
  private static final class Events {
    static final CoroutineStart START = new CoroutineStart();
    static final CoroutineEnd END = new CoroutineEnd();
    static final CoroutineAwait AWAIT = new CoroutineAwait();
    static final LongTurn LONG_TURN = new LongTurn();

    private Events() {}
  }

  @Name("dev.couv.CoroutineStart")
  @Enabled(false) // there are many
  @Label("Coroutine Start")
  @Category("Couv")
  @StackTrace(false)
  private static final class CoroutineStart extends Event {
    @Label("Coroutine")
    @Nullable String coroutine;

    @Label("Spawned At")
    @Nullable String site;

    @Label("Scope")
    @Nullable String scope;
  }

  @Name("dev.couv.CoroutineEnd")
  @Enabled(false) // there are many
  @Label("Coroutine End")
  @Category("Couv")
  @StackTrace(false)
  private static final class CoroutineEnd extends Event {
    @Label("Coroutine")
    @Nullable String coroutine;

    @Label("Status")
    @Nullable String status;

    @Label("Failure")
    @Nullable String failure;
  }

  @Name("dev.couv.CoroutineAwait")
  @Enabled(false) // there are many
  @Label("Coroutine Await")
  @Description("A coroutine was suspended until what it awaited had come, or it was told to leave")
  @Category("Couv")
  private static final class CoroutineAwait extends Event {
    @Label("Coroutine")
    @Nullable String coroutine;

    @Label("Awaited")
    @Nullable String awaited;

    @Label("Ended By")
    @Nullable String ended;
  }

  @Name("dev.couv.LongTurn")
  @Label("Long Turn")
  @Description("A coroutine held its loop longer than the turn limit")
  @Category("Couv")
  @StackTrace(false)
  private static final class LongTurn extends Event {
    @Label("Coroutine")
    @Nullable String coroutine;

    @Label("Held For")
    @Timespan(Timespan.NANOSECONDS)
    long held;

    @Label("Frames")
    @Nullable String frames;
  }
}
