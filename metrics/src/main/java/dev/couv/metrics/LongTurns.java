// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.consumer.RecordingStream;

/// The turns in which a coroutine held its loop for longer than the turn limit, of all loops of the process: a timer
/// `couv.loop.turn.long`, which counts them and tells how long they were. It reads what the flight recorder is told, about a
/// second later, and needs the module `jdk.jfr`.
///
/// Only loops with a turn limit watch their turns: by `LoopOptions.withTurnLimit`, or `-Dcouv.turn-limit`.
@SuppressWarnings("exports") // whoever uses it requires the other module as well
public final class LongTurns implements MeterBinder, AutoCloseable {
  private static final String EVENT = "dev.couv.LongTurn";

  private final RecordingStream events = new RecordingStream();
  private final AtomicBoolean closed = new AtomicBoolean();

  private LongTurns() {
    events.enable(EVENT);
    events.startAsync();
  }

  /// Begins to count.
  public static LongTurns open() {
    return new LongTurns();
  }

  /// Adds the timer; turns that were before are not in it.
  @Override
  public void bindTo(MeterRegistry registry) {
    Timer timer =
        Timer.builder("couv.loop.turn.long")
            .description("Turns that held a loop for longer than its limit")
            .register(registry);
    events.onEvent(EVENT, turn -> timer.record(turn.getDuration("held")));
  }

  /// Whether nothing is counted any more.
  public boolean isClosed() {
    return closed.get();
  }

  /// Counts what has happened by now, and stops. Blocks for a moment: in a coroutine, by `Loop.offload`.
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      events.stop();
      events.close();
    }
  }
}
