// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.time.Duration;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Watches how long each turn of a coroutine holds its loop. One that lasts too long is logged once, and
/// recorded by the flight recorder, with the frames where it was.
///
/// A turn that is over has no frames any more. So a thread of its own looks now and then, and takes
/// those of a turn that has lasted half of its limit. It reads what belongs to the loop without a lock;
/// the number of the turn, read before and after, tells whether it saw one turn only.
final class TurnWatch implements Runnable {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  /// The watcher looks this many times within the limit.
  private static final int LOOKS = 4;

  private static final long SHORTEST_SLEEP_NANOS = 500_000;
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /// Where a turn was, seen by the watcher.
  private record Sight(long turn, String coroutine, String frames) {}

  private record LongTurn(Sight sight, long nanos) {}

  private final Supplier<@Nullable Fiber> current;
  private final Supplier<String> loopStack;
  private final long limitNanos;
  private final Thread watcher;

  // Written by the loop.
  private long turns;
  private volatile @Nullable Fiber expected;
  private volatile long turn;
  private volatile long startedAt;
  private volatile boolean running;
  private volatile boolean closed;

  // Written by the watcher.
  private volatile @Nullable Sight sight;
  private long loggedTurn = -1;

  /// Turns that were too long and are over, for the watcher to tell: the loop does not log, and what its
  /// thread tells the recorder between two coroutines gets lost.
  private final ConcurrentLinkedQueue<LongTurn> ended = new ConcurrentLinkedQueue<>();

  /// `current` is whose turn it is, and `loopStack` where the loop's thread is: asked on any thread.
  TurnWatch(Supplier<@Nullable Fiber> current, Supplier<String> loopStack, Duration limit) {
    this.current = current;
    this.loopStack = loopStack;
    this.limitNanos = limit.compareTo(Duration.ofDays(1)) < 0 ? limit.toNanos() : Long.MAX_VALUE;
    this.watcher = Thread.ofPlatform().daemon().name("couv-turn-watch").unstarted(this);
  }

  // ---- the loop's thread

  void start() {
    watcher.start();
  }

  /// Waits a moment for what is still to be told.
  void close() {
    closed = true;
    LockSupport.unpark(watcher);
    try {
      watcher.join(LAST_WORDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// `whose` is known of one that goes on after it has blocked; the others say it themselves.
  void begin(@Nullable Fiber whose) {
    expected = whose;
    startedAt = System.nanoTime();
    turn = ++turns;
    running = true;
  }

  /// `ran` is whose turn it was, if it is known.
  void end(@Nullable Fiber ran) {
    long took = System.nanoTime() - startedAt;
    running = false;
    if (took > limitNanos) {
      Sight seen = seen(turn);
      Fiber whose = ran == null ? expected : ran;
      String coroutine = whose == null ? seen.coroutine : whose.name();
      ended.add(new LongTurn(new Sight(turn, coroutine, seen.frames), took));
    }
  }

  private Sight seen(long asked) {
    Sight seen = sight;
    return seen != null && seen.turn == asked
        ? seen
        : new Sight(asked, "the runtime", "    (not seen: it ended too soon)");
  }

  // ---- the watcher's thread

  @Override
  public void run() {
    long pause = Math.max(limitNanos / LOOKS, SHORTEST_SLEEP_NANOS);
    while (!closed) {
      LockSupport.parkNanos(this, pause);
      look();
      tellEnded();
    }
    tellEnded();
  }

  private void look() {
    long number = turn;
    long lasted = System.nanoTime() - startedAt;
    if (!running || lasted < limitNanos / 2) {
      return;
    }
    Fiber known = current.get();
    Fiber fiber = known == null ? expected : known;
    Thread thread = fiber == null ? null : fiber.thread;
    String name = fiber == null ? "the runtime" : fiber.name();
    String frames = thread == null ? loopStack.get() : frames(thread);
    if (!running || turn != number || frames.isEmpty()) {
      return; // another turn's, or its last moment
    }
    Sight seen = new Sight(number, name, frames);
    sight = seen;
    if (lasted > limitNanos && loggedTurn != number) {
      loggedTurn = number;
      log(seen, lasted, ", and still does");
    }
  }

  private void tellEnded() {
    for (LongTurn over; (over = ended.poll()) != null; ) {
      Sight seen = over.sight;
      if (Flight.isLongTurnRecorded()) {
        Flight.longTurn(seen.coroutine, over.nanos, seen.frames);
      }
      if (seen.turn != loggedTurn) {
        log(seen, over.nanos, "");
      }
    }
  }

  private static void log(Sight seen, long nanos, String more) {
    String message =
        "%s held its loop for %d ms%s:%n%s"
            .formatted(seen.coroutine, nanos / 1_000_000, more, seen.frames);
    try {
      LOG.log(System.Logger.Level.WARNING, message);
    } catch (RuntimeException | Error brokenLogger) {
      // There is no other place to tell it.
    }
  }

  /// Where the thread is.
  static String frames(Thread thread) {
    StringJoiner lines = new StringJoiner("\n");
    Arrays.stream(thread.getStackTrace()).forEach(frame -> lines.add("    at " + frame));
    return lines.toString();
  }
}
