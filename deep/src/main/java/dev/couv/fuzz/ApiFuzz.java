// SPDX-License-Identifier: Apache-2.0
package dev.couv.fuzz;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.coro.ScopePolicy;
import dev.couv.time.Time;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Calls every public method of every exported package, chosen at random, on whatever earlier calls have
/// returned, in coroutines that are cancelled and timed out at random. `ApiFuzz SECONDS [SEED]`.
///
/// It has found something if a call fails in a way that is the library's own fault ([Findings]), if a loop
/// does not end, or if descriptors or loops are left. It says how memory went.
@SuppressWarnings("try") // closing a scope throws whatever failed in it
public final class ApiFuzz {
  private static final int CALLS = 400;
  private static final int CALLERS = 8;
  private static final Duration CALL_LIMIT = Duration.ofMillis(30);
  private static final Duration EPISODE_LIMIT = Duration.ofSeconds(30);

  private final PublicApi api = PublicApi.read();
  private final Findings findings = new Findings();
  private final Map<String, Integer> outcomes = new TreeMap<>();

  private volatile @Nullable Loop running;

  private ApiFuzz() throws IOException {}

  public static void main(String[] args) throws Exception {
    long seconds = Long.parseLong(args[0]);
    long seed = args.length > 1 ? Long.parseLong(args[1]) : System.nanoTime();
    new ApiFuzz().run(seconds, seed);
  }

  private void run(long seconds, long firstSeed) throws Exception {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    long seed = firstSeed;
    int episodes = 0;
    Resident resident = new Resident();
    System.out.println(api.size() + " methods, from seed " + seed);
    while (System.nanoTime() < end && findings.isEmpty()) {
      episode(seed++);
      episodes++;
      if (episodes == 20 || episodes % 100 == 0) {
        resident.note(episodes + " episodes");
      }
    }
    resident.note(episodes + " episodes");
    System.out.println(outcomes);
    System.out.printf(
        "%d episodes of %d calls, %d of %d methods called, %s%n",
        episodes, CALLS, api.called(), api.size(), findings);
    if (!findings.isEmpty()) {
      System.out.println("again: tools/fuzz 1 " + (seed - 1));
      System.exit(1);
    }
    System.exit(0); // whatever threads of the JDK are left
  }

  private void episode(long seed) throws Exception {
    Path directory = Files.createTempDirectory("couv-fuzz");
    int before = Resident.descriptors();
    Thread thread =
        Thread.ofPlatform()
            .name("fuzz-" + seed)
            .daemon()
            .start(() -> runLoop(new Random(seed), directory));
    if (!thread.join(EPISODE_LIMIT)) {
      findings.add(
          "seed " + seed + " does not end", List.of(thread.getStackTrace()) + dumpOf(running));
    }
    removeAll(directory);
    // What the collector closes may take a moment.
    for (int wait = 0; wait < 100 && Resident.descriptors() > before + 16; wait++) {
      System.gc();
      Thread.sleep(20);
    }
    int left = Resident.descriptors() - before;
    if (left > 16) {
      findings.add("seed " + seed + " leaves descriptors open", String.valueOf(left));
    }
  }

  private void runLoop(Random random, Path directory) {
    try {
      Loop.run(() -> calls(random, directory));
    } catch (Throwable thrown) {
      findings.judge("Loop.run", thrown, true);
    }
  }

  private static String dumpOf(@Nullable Loop loop) throws InterruptedException {
    if (loop == null) {
      return ", no loop";
    }
    var dump = new FutureTask<>(loop::dump); // a loop that does not come to it has none to give
    Thread.ofPlatform().daemon().start(dump);
    try {
      return "\n" + dump.get(5, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException none) {
      return ", no dump: " + none;
    }
  }

  private void calls(Random random, Path directory) throws Exception {
    running = Loop.current();
    Heap heap = new Heap(random, directory);
    try (Scope scope = Scope.open(ScopePolicy.SUPERVISE).onFailure(_ -> {})) {
      for (int caller = 0; caller < CALLERS; caller++) {
        Random own = new Random(random.nextLong());
        scope.spawn(
            () -> {
              for (int call = 0; call < CALLS / CALLERS; call++) {
                callOnce(scope, own, heap);
              }
            });
      }
      scope.join();
      heap.closeAll();
      scope.cancel();
    } finally {
      heap.endPools(); // whatever became of this: they live by their own threads
    }
  }

  private void callOnce(Scope scope, Random random, Heap heap) throws Exception {
    Method method = api.choose(random);
    Object target = heap.target(method);
    if (target == null && !PublicApi.isStatic(method)) {
      return;
    }
    @Nullable Object[] arguments = heap.arguments(method);
    boolean odd = heap.wasOdd();
    Coroutine<?> call =
        scope.spawn(
            () -> {
              call(method, target, arguments, odd, heap);
              return null;
            });
    call.named(method.getDeclaringClass().getSimpleName() + "." + method.getName());
    switch (random.nextInt(6)) {
      case 0 -> call.cancel();
      case 1 -> {
        Coroutine.pause();
        call.cancel();
      }
      case 2 -> {
        Coroutine.pause();
        try {
          call.resume();
        } catch (Throwable refusedOrThrown) {
          findings.judge(method + " resumed", refusedOrThrown, false);
        }
      }
      default -> {}
    }
    try {
      Time.timeout(CALL_LIMIT.multipliedBy(4), call::await);
    } catch (Throwable ended) {
      call.cancel();
    }
  }

  private void call(
      Method method, @Nullable Object target, @Nullable Object[] arguments, boolean odd, Heap heap)
      throws Exception {
    String outcome = "returned";
    try {
      Object result = Time.timeout(CALL_LIMIT, () -> invoke(method, target, arguments));
      heap.keep(result);
    } catch (TimeoutException late) {
      outcome = "timed out";
    } catch (Throwable thrown) {
      outcome = thrown.getClass().getSimpleName();
      findings.judge(method.toString(), thrown, !odd);
      throw thrown;
    } finally {
      outcomes.merge(outcome, 1, Integer::sum);
    }
  }

  private static @Nullable Object invoke(
      Method method, @Nullable Object target, @Nullable Object[] arguments) throws Exception {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException wrapped) {
      switch (wrapped.getCause()) {
        case Exception exception -> throw exception;
        case Error error -> throw error;
        case null, default -> throw wrapped;
      }
    }
  }

  private static void removeAll(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      walk.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    }
  }
}
