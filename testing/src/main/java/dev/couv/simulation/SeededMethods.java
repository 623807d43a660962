// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.ReflectionSupport;

/// What [SimTest] is to JUnit: calls the method once for each seed, instead of once.
final class SeededMethods implements InvocationInterceptor, ParameterResolver {
  private static final String SEED = "couv.simulation.seed";
  private static final String SEEDS = "couv.simulation.seeds";
  private static final String SECONDS = "couv.simulation.seconds";

  private static final long MOST_REPEATED = 20;
  private static final long REPEATING = 200_000_000;

  /// What earlier tests have left of their time, in nanoseconds.
  private static final AtomicLong SAVED = new AtomicLong();

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Simulation.class;
  }

  /// Which nobody runs: each seed has its own.
  @Override
  public Simulation resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return new Simulation(0, Set.of());
  }

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> test,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    test.skip();
    Method method = invoked.getExecutable();
    Object target = invoked.getTarget().orElse(null);
    Scenario scenario = sim -> ReflectionSupport.invokeMethod(method, target, sim);
    Class<?> tests = target == null ? method.getDeclaringClass() : target.getClass();
    Long only = asked(SEED, Long.MIN_VALUE);
    if (only != null) {
      Simulation.run(only, scenario, tests);
      return;
    }
    long seeds = seeds(method);
    long start = System.nanoTime();
    Tried tried = runAll(seeds, scenario, tests);
    context.publishReportEntry("seeds", Long.toString(tried.seeds()));
    if (System.getProperty(SEEDS) != null) {
      print(context.getDisplayName(), tried, System.nanoTime() - start);
    }
    checkRepeats(tests, Math.min(seeds, MOST_REPEATED), scenario);
  }

  /// How many are to run: a test that runs nothing finds nothing, and must not pass.
  private static long seeds(Method method) {
    Long asked = asked(SEEDS, 1);
    if (asked != null) {
      return asked;
    }
    SimTest test = method.getAnnotation(SimTest.class);
    int seeds = test == null ? 1 : test.seeds();
    if (seeds < 1) {
      throw new IllegalArgumentException(
          "@SimTest(seeds = " + seeds + ") of " + method.getName() + " runs nothing");
    }
    return seeds;
  }

  /// A property that is a number, at least the given one; null if it is not set.
  static @Nullable Long asked(String property, long least) {
    String value = System.getProperty(property);
    if (value == null) {
      return null;
    }
    try {
      long number = Long.decode(value.strip());
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException refusedBelow) {
      // as one that is too small
    }
    throw new IllegalArgumentException(
        "-D"
            + property
            + "="
            + value
            + " is no whole number"
            + (least == Long.MIN_VALUE ? "" : " from " + least + " on"));
  }

  /// Whoever asks for more of them wants to know how many there were.
  @SuppressWarnings("SystemOut")
  private static void print(String test, Tried tried, long nanos) {
    System.out.printf(
        "%s: %,d seeds in %d s, with %,d steps and %,d simulated seconds%n",
        test,
        tried.seeds(),
        nanos / 1_000_000_000,
        tried.steps().sum(),
        tried.millis().sum() / 1000);
  }

  /// Each of the first seeds twice, as long as that takes next to nothing, and the very first in any case: if that makes two
  /// histories, something decides that is outside of the simulated world.
  static void checkRepeats(Class<?> tests, long seeds, Scenario scenario) {
    long end = System.nanoTime() + REPEATING;
    for (long seed = 0; seed < seeds && (seed == 0 || System.nanoTime() - end < 0); seed++) {
      long first = Simulation.run(seed, scenario, tests).hash();
      if (first != Simulation.run(seed, scenario, tests).hash()) {
        throw new SimulationFailure(
            seed,
            "seed "
                + seed
                + " gave two histories: something outside of the simulated world decides. "
                + OutsideCalls.told(OutsideCalls.of(tests)));
      }
    }
  }

  /// How many there were, and what happened in them.
  private record Tried(long seeds, LongAdder steps, LongAdder millis) {}

  private record Failed(long seed, Throwable by) {
    /// The lower seed is told, whichever failed first: they are begun in order, and those that have begun are waited for.
    private static Failed lower(@Nullable Failed one, Failed other) {
      return one == null || other.seed < one.seed ? other : one;
    }
  }

  private static Tried runAll(long seeds, Scenario scenario, Class<?> tests) throws Throwable {
    AtomicLong next = new AtomicLong();
    Tried sums = new Tried(0, new LongAdder(), new LongAdder());
    Long seconds = asked(SECONDS, 1);
    long own = TimeUnit.SECONDS.toNanos(seconds == null ? 1_000_000 : seconds);
    long end = System.nanoTime() + own + SAVED.getAndSet(0);
    AtomicReference<@Nullable Failed> failure = new AtomicReference<>();
    // The first alone: it loads the classes, for whose locks the others would wait, each with its
    // whole simulation.
    run(1, () -> runSome(Math.min(1, seeds), next, end, scenario, tests, sums, failure));
    next.set(1);
    int cores = Runtime.getRuntime().availableProcessors();
    run(
        (int) Math.min(cores, seeds - 1),
        () -> runSome(seeds, next, end, scenario, tests, sums, failure));
    if (seconds != null) {
      SAVED.addAndGet(Math.max(0, end - System.nanoTime()));
    }
    Failed failed = failure.get();
    if (failed != null) {
      throw failed.by();
    }
    return new Tried(Math.min(next.get(), seeds), sums.steps(), sums.millis());
  }

  /// On so many threads, to the end of all.
  private static void run(int count, Runnable some) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofPlatform().name("couv-simulation-" + i).start(some));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void runSome(
      long seeds,
      AtomicLong next,
      long end,
      Scenario scenario,
      Class<?> tests,
      Tried sums,
      AtomicReference<@Nullable Failed> failure) {
    for (long seed;
        failure.get() == null
            && System.nanoTime() - end < 0
            && (seed = next.getAndIncrement()) < seeds; ) {
      try {
        SimReport report = Simulation.run(seed, scenario, tests);
        sums.steps().add(report.steps());
        sums.millis().add(report.elapsed().toMillis());
      } catch (SimulationFailure failed) {
        failed.addSuppressed(new Again("again by -D" + SEED + "=" + seed));
        failure.accumulateAndGet(new Failed(seed, failed), Failed::lower);
      } catch (Throwable broken) {
        failure.accumulateAndGet(new Failed(seed, broken), Failed::lower);
      }
    }
  }

  /// How to see it again; not worth a stack.
  private static final class Again extends Exception {
    private static final long serialVersionUID = 1L;

    Again(String message) {
      super(message, null, false, false);
    }
  }
}
