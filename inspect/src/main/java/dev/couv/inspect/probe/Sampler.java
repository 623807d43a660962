// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import dev.couv.loop.EventLoop;
import dev.couv.loop.EventLoopStats;
import dev.couv.strand.LoopView;
import dev.couv.strand.Named;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Watches one loop from another thread: whose turn it is, a hundred times a second, and how long the loop takes to come to
/// what is posted to it, ten times a second. How long each turn took the loop itself notes at its end. That costs it these posts,
/// and a look at the clock for each turn; coroutines pay nothing.
final class Sampler {
  /// A second of a loop.
  ///
  /// @param at when it ended, in milliseconds since 1970
  /// @param lagMicros the longest that a post has waited
  /// @param busyPermille how much of it coroutines had the thread
  /// @param turns of the loop
  /// @param turnMicros how long one of them took on average, from the end of libuv's part until those that were ready have
  ///     run
  /// @param p99Micros what 99 of 100 of them took at most
  /// @param maxMicros what the longest took
  /// @param coroutines at its end
  record Point(
      long at,
      long lagMicros,
      long busyPermille,
      long turns,
      long turnMicros,
      long p99Micros,
      long maxMicros,
      long coroutines) {
    /// As it stands in a dump.
    String words() {
      return "in the last second %d turns of %s on average, p99 %s, max %s; lag %s, %d %% busy"
          .formatted(
              turns,
              words(turnMicros),
              words(p99Micros),
              words(maxMicros),
              words(lagMicros),
              busyPermille / 10);
    }

    private static String words(long micros) {
      return micros < 1000
          ? micros + " µs"
          : micros < 1_000_000
              ? "%.1f ms".formatted(micros / 1000.0)
              : "%.1f s".formatted(micros / 1_000_000.0);
    }
  }

  /// A coroutine that had the thread.
  record Busy(long number, String name, long permille) {}

  private static final int KEPT = 300;
  private static final int BUSIEST = 10;
  private static final double FADES = 0.6;

  private final LoopView host;
  private final EventLoop events;
  private final Runnable turnEnd = this::turnEnded;

  // The loop's own.
  private TurnTimes times = new TurnTimes();
  private boolean timing;
  private long lookBegan;
  private long looked;

  // Written by the loop, read by the sampling thread: the answer to the last post.
  private volatile long servedAt;
  private volatile @Nullable EventLoopStats stats;
  private final ConcurrentLinkedQueue<TurnTimes> timed = new ConcurrentLinkedQueue<>();

  /// Whether nobody wants to know any more.
  private volatile boolean closed;

  // The sampling thread's own.
  private long postedAt;
  private boolean waiting;
  private long lag;
  private int looks;
  private int busyLooks;
  private long turnsBefore = -1;
  private final Map<Long, Double> heat = new HashMap<>();
  private final Map<Long, String> names = new HashMap<>();

  // Guarded by this.
  private final ArrayDeque<Point> points = new ArrayDeque<>();
  private List<Busy> busiest = List.of();

  Sampler(LoopView host) {
    this.host = host;
    this.events = host.scheduler().events();
  }

  /// Whose turn is it?
  void look() {
    looks++;
    Named current = host.scheduler().current();
    if (current != null && !current.name().equals("couv-inspect")) {
      busyLooks++;
      heat.merge(current.number(), 1.0, Double::sum);
      names.put(current.number(), current.name());
    }
    settle();
  }

  /// How long does a post wait?
  void ping() {
    if (!waiting && host.scheduler().isRunning()) {
      waiting = true;
      servedAt = 0;
      postedAt = System.nanoTime();
      boolean sent =
          events.post(
              () -> {
                stats = events.stats();
                timed.add(times);
                times = new TurnTimes();
                time();
                servedAt = System.nanoTime();
              });
      waiting = sent;
    }
  }

  // ---- on the loop's thread

  /// Turns are timed from this one on.
  private void time() {
    if (!timing) {
      timing = true;
      host.scheduler().atTurnEnd(turnEnd);
    }
  }

  /// The loop's time is that of the turn's beginning, unless somebody has refreshed it since. What the look itself took
  /// is not the program's.
  private void turnEnded() {
    times.add(events.clock() - events.now() - looked);
    looked = 0;
    timing = false;
    if (!closed) {
      time();
    }
  }

  /// The coroutine that looks around on the loop begins, or goes on.
  void lookBegins() {
    lookBegan = System.nanoTime();
  }

  /// It has ended, or gives the others a turn.
  void lookRests() {
    looked += System.nanoTime() - lookBegan;
  }

  // ---- on the sampling thread

  private void settle() {
    EventLoopStats seen = stats;
    if (turnsBefore < 0 && seen != null) {
      turnsBefore = seen.polls();
    }
    if (waiting) {
      long served = servedAt;
      lag = Math.max(lag, (served == 0 ? System.nanoTime() : served) - postedAt);
      waiting = served == 0 && host.scheduler().isRunning();
    }
  }

  /// A second is over.
  void point(long millis) {
    settle();
    EventLoopStats seen = stats;
    long turns = seen == null ? 0 : seen.polls();
    long made = turnsBefore < 0 ? 0 : turns - turnsBefore;
    turnsBefore = turns;
    TurnTimes second = new TurnTimes();
    for (TurnTimes part; (part = timed.poll()) != null; ) {
      second.add(part);
    }
    Point point =
        new Point(
            millis,
            lag / 1000,
            looks == 0 ? 0 : 1000L * busyLooks / looks,
            made,
            second.averageNanos() / 1000,
            second.p99Nanos() / 1000,
            second.longestNanos() / 1000,
            host.count());
    List<Busy> hottest = hottest();
    lag = 0;
    looks = 0;
    busyLooks = 0;
    synchronized (this) {
      points.add(point);
      if (points.size() > KEPT) {
        points.poll();
      }
      busiest = hottest;
    }
  }

  private List<Busy> hottest() {
    double sum = Math.max(1, looks / (1 - FADES));
    List<Busy> hottest =
        heat.entrySet().stream()
            .sorted(Map.Entry.<Long, Double>comparingByValue(Comparator.reverseOrder()))
            .limit(BUSIEST)
            .map(
                each ->
                    new Busy(
                        each.getKey(),
                        names.getOrDefault(each.getKey(), ""),
                        Math.round(1000 * each.getValue() / sum)))
            .toList();
    heat.replaceAll((_, warmth) -> warmth * FADES);
    heat.values().removeIf(warmth -> warmth < 0.05);
    names.keySet().retainAll(heat.keySet());
    return hottest;
  }

  /// Nobody wants to know any more: the loop is woken, and lets it go.
  void close() {
    closed = true;
    events.post(() -> {});
  }

  // ---- any thread

  /// The seconds after that moment.
  synchronized List<Point> pointsAfter(long millis) {
    return points.stream().filter(point -> point.at > millis).toList();
  }

  synchronized List<Busy> busiest() {
    return busiest;
  }

  synchronized @Nullable Point last() {
    return points.peekLast();
  }
}
