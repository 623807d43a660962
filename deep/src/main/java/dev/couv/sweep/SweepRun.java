// SPDX-License-Identifier: Apache-2.0
package dev.couv.sweep;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.coro.Scope;
import dev.couv.coro.ScopePolicy;
import dev.couv.coro.Status;
import dev.couv.error.BrokenException;
import dev.couv.error.ClosedException;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The sweep itself. For every await function: a coroutine awaits, and is parked at the first point where it
/// may be, then at the second, and so on; while it is parked, one thing happens to it; then it goes on. And
/// the same with whoever completes, cancels, resumes or closes: it is parked in the middle of that, and another
/// does something to the one that awaits.
///
/// Whatever it was: the await ends, once, in a way that what happened explains; the loop lives; and the same
/// thing can be awaited again.
@SuppressWarnings("try") // what is closed here throws whatever it likes
public final class SweepRun {
  /// What happens to a wait.
  private enum Act {
    COMPLETE,
    CANCEL,
    TIMEOUT,
    RESUME,
    CLOSE
  }

  private static final Duration LIMIT = Duration.ofMillis(4);
  private static final Duration PATIENCE =
      Duration.ofSeconds(Integer.getInteger("couv.sweep.patience", 20));
  private static final int MOST_POINTS = 2000;

  /// What a loop's thread may do although it looks like a lock: nobody who is taken off its thread can hold
  /// it, or nobody waits.
  private static final List<String> HARMLESS =
      List.of(
          // Once in a thread's life; held for a few field accesses, by loops' threads only.
          "strand/Carriers.add",
          "strand/LoopScheduledEngine.start", // the JDK's table of threads, one entry
          "coro/StageSource.", // asks a future that is done
          "uv/NativeCall.link", // see there
          "uv/Binder.register"); // in initialisers of classes, which nobody leaves

  private final Map<String, Set<String>> problems = new TreeMap<>();
  private final Set<String> points = new TreeSet<>();
  private int runs;

  private SweepRun() {}

  public static void main(String[] args) throws Exception {
    String wanted = args.length > 0 ? args[0] : "";
    SweepRun sweep = new SweepRun();
    long begun = System.nanoTime();
    for (Map.Entry<String, Scenario.Maker> scenario : Scenarios.all().entrySet()) {
      if (scenario.getKey().contains(wanted)) {
        long at = System.nanoTime();
        int before = sweep.runs;
        sweep.sweep(scenario.getKey(), scenario.getValue());
        System.out.printf(
            "%-24s %6d runs, %5d ms%n",
            scenario.getKey(), sweep.runs - before, (System.nanoTime() - at) / 1_000_000);
      }
    }
    sweep.report((System.nanoTime() - begun) / 1_000_000_000);
  }

  private void report(long seconds) {
    for (String site : ParkPoints.onLoopThreads()) {
      if (HARMLESS.stream().noneMatch(site::startsWith)) {
        problems.computeIfAbsent("a loop's thread takes a lock", _ -> new TreeSet<>()).add(site);
      }
    }
    problems.forEach(
        (problem, where) -> {
          System.out.println(problem);
          where.stream().limit(12).forEach(at -> System.out.println("    " + at));
          if (where.size() > 12) {
            System.out.println("    and " + (where.size() - 12) + " more");
          }
        });
    System.out.printf(
        "%d runs parked at %d of %d points, in %d s: %d problems%n",
        runs, points.size(), ParkPoints.count(), seconds, problems.size());
    if (!problems.isEmpty()) {
      System.exit(1);
    }
  }

  private void sweep(String name, Scenario.Maker maker) throws InterruptedException {
    for (Act act : Act.values()) {
      run(name, maker, act, act, Integer.MAX_VALUE); // so that classes are initialised
    }
    for (Act gap : Act.values()) {
      sweep(name, maker, null, gap);
      for (Act first : List.of(Act.COMPLETE, Act.CANCEL, Act.RESUME, Act.CLOSE)) {
        sweep(name, maker, first, gap);
      }
    }
  }

  /// `first` is what the parked one does to the wait, or null if it is the one that awaits.
  private void sweep(String name, Scenario.Maker maker, @Nullable Act first, Act gap)
      throws InterruptedException {
    for (int at = 1; at < MOST_POINTS && run(name, maker, first, gap, at); at++) {}
  }

  /// False if there are not so many points.
  private boolean run(String name, Scenario.Maker maker, @Nullable Act first, Act gap, int at)
      throws InterruptedException {
    Run run = new Run(maker, first, gap, at);
    Thread thread = Thread.ofPlatform().name("sweep-loop").daemon().unstarted(run);
    thread.start();
    runs++;
    if (!thread.join(PATIENCE.multipliedBy(2))) {
      run.problem("the loop hangs in " + List.of(thread.getStackTrace()));
    }
    String site = ParkPoints.parkedSite();
    ParkPoints.reset();
    for (String problem : run.problems()) {
      String who = first == null ? "the awaiting one" : "who does " + first;
      problems
          .computeIfAbsent(problem, _ -> new TreeSet<>())
          .add(name + ": " + who + " parked at " + site + ", then " + gap);
    }
    if (thread.isAlive()) {
      report(0); // it may spin for ever: nothing that comes after would be told from it
    }
    if (site != null) {
      points.add(site);
    }
    return site != null;
  }

  /// One run, on a thread of its own.
  private static final class Run implements Runnable {
    private final Scenario.Maker maker;
    private final @Nullable Act first;
    private final Act gap;
    private final int at;
    private final List<String> problems = new ArrayList<>();

    /// What was done to the wait and must end it.
    private final EnumMap<Act, Boolean> done = new EnumMap<>(Act.class);

    Run(Scenario.Maker maker, @Nullable Act first, Act gap, int at) {
      this.maker = maker;
      this.first = first;
      this.gap = gap;
      this.at = at;
    }

    synchronized void problem(String problem) {
      problems.add(problem);
    }

    synchronized List<String> problems() {
      return List.copyOf(problems);
    }

    @Override
    public void run() {
      try {
        Loop.run(
            () -> {
              try (Scenario scenario = maker.make()) {
                drive(scenario);
              }
            });
      } catch (Throwable thrown) {
        problem("the loop ends with " + brief(thrown));
      }
    }

    private void drive(Scenario scenario) throws Exception {
      try (Scope scope = Scope.open(ScopePolicy.SUPERVISE).onFailure(_ -> {})) {
        Coroutine<?> awaiter = scope.spawn(() -> await(scenario));
        Loop.awaitIdle();
        if (first == null) {
          if (!ParkPoints.isParked() && !awaiter.status().isEnded()) {
            // Points behind the wait: let it end.
            act(scope, scenario, awaiter, scenario.canComplete() ? Act.COMPLETE : Act.CANCEL, 0);
            until(() -> ParkPoints.isParked() || awaiter.status().isEnded());
          }
        } else if (!awaiter.status().isEnded()) {
          Coroutine<?> actor = act(scope, scenario, awaiter, first, at);
          if (actor != null) {
            until(
                () ->
                    ParkPoints.isParked()
                        || actor.status().isEnded()
                        || actor.status() == Status.NORMAL);
            Loop.awaitIdle();
          }
        }
        if (ParkPoints.isParked()) {
          if (gap == Act.TIMEOUT) {
            Time.sleep(LIMIT.multipliedBy(2));
            done.put(Act.TIMEOUT, true);
          } else {
            act(scope, scenario, awaiter, gap, 0);
          }
          Loop.awaitIdle();
          ParkPoints.release();
        }
        finish(scope, scenario, awaiter);
        scope.cancel();
      }
    }

    private Object await(Scenario scenario) throws Exception {
      if (first == null) {
        ParkPoints.begin(at);
      }
      try {
        Object value = gap == Act.TIMEOUT ? Time.timeout(LIMIT, scenario::await) : scenario.await();
        return value == null ? "null" : value;
      } finally {
        ParkPoints.end();
      }
    }

    /// Does that to the one that awaits, in a coroutine of its own, which may be the one that parks. Null if
    /// it cannot be done.
    private @Nullable Coroutine<?> act(
        Scope scope, Scenario scenario, Coroutine<?> awaiter, Act act, int parkAt) {
      if ((act == Act.COMPLETE && !scenario.canComplete())
          || (act == Act.CLOSE && !scenario.canShut())
          || act == Act.TIMEOUT) {
        return null;
      }
      done.put(act, true);
      return scope.spawn(
          () -> {
            if (parkAt > 0) {
              ParkPoints.begin(parkAt);
            }
            try {
              switch (act) {
                case COMPLETE -> scenario.complete();
                case CANCEL -> awaiter.cancel();
                case RESUME -> resume(scenario, awaiter);
                case CLOSE -> scenario.shut();
                case TIMEOUT -> throw new AssertionError(act);
              }
            } catch (AssertionError broken) {
              problem(act + " threw " + brief(broken));
            } finally {
              ParkPoints.end();
            }
            return null;
          });
    }

    private void resume(Scenario scenario, Coroutine<?> awaiter) throws Exception {
      boolean resumable =
          scenario.isAlwaysResumable()
              && !awaiter.status().isEnded()
              && !done.containsKey(Act.CANCEL);
      try {
        awaiter.resume("resumed");
      } catch (IllegalStateException refused) {
        done.remove(Act.RESUME); // it runs, or has ended, or is not in its await yet
        if (resumable && done.size() == 0) {
          problem(
              "a resume is refused: " + refused.getMessage().replaceAll("coroutine-\\d+", "it"));
        }
      } catch (Resumed unwound) {
        // It did not catch it.
      }
    }

    /// The wait must have ended, or do so when it is completed now.
    private void finish(Scope scope, Scenario scenario, Coroutine<?> awaiter) throws Exception {
      Loop.awaitIdle();
      boolean mustEnd =
          scenario.completesItself()
              || (done.containsKey(Act.COMPLETE) && !scenario.isLostUnlessAwaited())
              || done.containsKey(Act.CANCEL)
              || done.containsKey(Act.TIMEOUT)
              || done.containsKey(Act.CLOSE)
              || (done.containsKey(Act.RESUME) && scenario.endsWhenResumed())
              || (gap == Act.TIMEOUT && scenario.endsWhenResumed());
      if (!mustEnd) {
        act(scope, scenario, awaiter, scenario.canComplete() ? Act.COMPLETE : Act.CANCEL, 0);
      }
      if (!until(() -> awaiter.status().isEnded())) {
        problem("lost after " + done.keySet() + ": " + awaiter.status());
        if (Boolean.getBoolean("couv.sweep.dump")) {
          System.out.println(Loop.current().dump());
        }
        return;
      }
      explain(awaiter);
      if (scenario.isRepeatable() && !done.containsKey(Act.CLOSE)) {
        Coroutine<?> again = scope.spawn(scenario::await);
        Loop.awaitIdle();
        if (!again.status().isEnded()) {
          act(scope, scenario, again, Act.COMPLETE, 0);
        }
        if (!until(() -> again.status().isEnded())) {
          problem("cannot be awaited again after " + done.keySet());
        } else if (again.status() != Status.DONE) {
          problem("awaited again it fails after " + done.keySet() + ": " + failure(again));
        }
      }
    }

    /// Whether what it ended with is due to what was done.
    private void explain(Coroutine<?> awaiter) throws Exception {
      if (awaiter.status() == Status.DONE) {
        return;
      }
      if (awaiter.status() == Status.CANCELLED) {
        if (!done.containsKey(Act.CANCEL)) {
          problem("cancelled by nobody");
        }
        return;
      }
      Throwable thrown = failure(awaiter);
      boolean explained =
          switch (thrown) {
            case Resumed _ -> done.containsKey(Act.RESUME);
            case TimeoutException _ -> gap == Act.TIMEOUT;
            case IOException _, ClosedException _, BrokenException _, CancellationException _ ->
                done.containsKey(Act.CLOSE);
            case null, default -> false;
          };
      if (!explained) {
        problem("fails with " + brief(thrown) + " after " + done.keySet());
      }
    }

    private static @Nullable Throwable failure(Coroutine<?> coroutine) {
      try {
        coroutine.await();
        return null;
      } catch (Throwable thrown) {
        return thrown;
      }
    }

    private static boolean until(java.util.function.BooleanSupplier condition) throws Exception {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      for (int looks = 0; !condition.getAsBoolean(); looks++) {
        if (System.nanoTime() > deadline) {
          return false;
        }
        if (looks < 20) {
          Coroutine.pause();
        } else {
          Time.sleep(Duration.ofMillis(1));
        }
      }
      return true;
    }

    private static String brief(@Nullable Throwable thrown) {
      if (thrown == null) {
        return "nothing";
      }
      StackTraceElement[] frames = thrown.getStackTrace();
      return thrown + (frames.length == 0 ? "" : " at " + frames[0]);
    }
  }
}
