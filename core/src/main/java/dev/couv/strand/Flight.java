// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Wording;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// What the JDK's flight recorder is told of coroutines. Its module may be absent, and then nothing here
/// is ever loaded. While nothing is recorded, each question is a constant, or the reading of a field:
/// what it would cost to answer is only paid after a yes.
@SuppressWarnings("UnusedVariable") // the recorder reads the fields of events
final class Flight {
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private Flight() {}

  static boolean isStartRecorded() {
    return PRESENT && Events.START.isEnabled();
  }

  static boolean isEndRecorded() {
    return PRESENT && Events.END.isEnabled();
  }

  static boolean isAwaitRecorded() {
    return PRESENT && Events.AWAIT.isEnabled();
  }

  static boolean isLongTurnRecorded() {
    return PRESENT && Events.LONG_TURN.isEnabled();
  }

  static void started(String coroutine, Object site, Object scope) {
    CoroutineStart event = new CoroutineStart();
    event.coroutine = coroutine;
    event.site = site.toString();
    event.scope = scope.toString();
    event.commit();
  }

  static void ended(String coroutine, String status, @Nullable Throwable failure) {
    CoroutineEnd event = new CoroutineEnd();
    event.coroutine = coroutine;
    event.status = status;
    event.failure = failure == null ? null : Wording.of(failure);
    event.commit();
  }

  /// The await begins. The caller keeps what is returned until it ends.
  static Object await(String coroutine, Object awaited) {
    CoroutineAwait event = new CoroutineAwait();
    event.coroutine = coroutine;
    event.awaited = Wording.of(awaited);
    event.begin();
    return event;
  }

  static void awaited(Object begun, String how) {
    if (begun instanceof CoroutineAwait event) {
      event.end();
      if (event.shouldCommit()) {
        event.ended = how;
        event.commit();
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
