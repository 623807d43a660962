// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Body;
import dev.couv.coro.Context;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Event;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.coro.LoopStats;
import dev.couv.coro.Outcome;
import dev.couv.coro.Scope;
import dev.couv.coro.Selected;
import dev.couv.coro.TaskGroup;
import dev.couv.coro.Trigger;
import dev.couv.net.ListenOptions;
import dev.couv.net.ServeOptions;
import dev.couv.pool.LoopPool;
import dev.couv.pool.Worker;
import dev.couv.resilience.Attempt;
import dev.couv.resilience.Backoff;
import dev.couv.resilience.Breaker;
import dev.couv.resilience.Bulkhead;
import dev.couv.resilience.Hedge;
import dev.couv.resilience.RateLimiter;
import dev.couv.resilience.Retry;
import dev.couv.strand.LoopLocal;
import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Suspension;
import dev.couv.sync.Chan;
import dev.couv.sync.ChanOptions;
import dev.couv.sync.Emission;
import dev.couv.sync.Gate;
import dev.couv.sync.Mutex;
import dev.couv.sync.Permits;
import dev.couv.sync.Promise;
import dev.couv.sync.ResourcePlan;
import dev.couv.sync.Resources;
import dev.couv.time.Ticker;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The public methods and constructors of the packages that need no machine around them, and arguments for
/// them: for tests that call all of them wrongly in one way.
@SuppressWarnings("try") // what it closes may wait, and throw what failed
final class PublicApi implements AutoCloseable {
  private static final List<String> PACKAGES = List.of("coro", "sync", "pool", "time");

  /// Those of modules that are built on the core, each with a class of it.
  private static final Map<String, Class<?>> BUILT_ON_IT = Map.of("resilience", Retry.class);

  /// For the runtime's own packages, where users have no business; and what is only given out.
  private static final Set<Class<?>> EXEMPT =
      Set.of(Suspension.class, Seat.class, LoopStats.class, Selected.class, Emission.class);

  /// Told by the runtime alone, with what it has enlisted before.
  private static final Set<String> ANSWERS = Set.of("poll", "withdraw", "surrender");

  /// Not public to make, but to use. New ones for each call, and closed after it.
  private final Map<Class<?>, Body<?>> samples = new HashMap<>();

  private final List<AutoCloseable> open = new ArrayList<>();

  @SuppressWarnings("resource") // closed after the call
  PublicApi() {
    samples.put(boolean.class, () -> false);
    samples.put(int.class, () -> 1);
    samples.put(long.class, () -> 1L);
    samples.put(Object.class, () -> "object");
    samples.put(String.class, () -> "string");
    samples.put(Throwable.class, () -> new IOException("a sample"));
    samples.put(Duration.class, () -> Duration.ofMinutes(1));
    samples.put(InetSocketAddress.class, () -> new InetSocketAddress(loopback(), 0));
    samples.put(ListenOptions.class, () -> ListenOptions.DEFAULT);
    samples.put(ServeOptions.class, () -> ServeOptions.DEFAULT);
    samples.put(Iterable.class, List::of);
    samples.put(Collection.class, List::of);
    samples.put(List.class, List::of);
    samples.put(Optional.class, Optional::empty);
    samples.put(OptionalLong.class, OptionalLong::empty);
    samples.put(CompletionStage.class, () -> CompletableFuture.completedFuture(1));
    samples.put(LoopLocal.class, () -> new LoopLocal<>(Object::new));
    samples.put(Coroutine.class, () -> Coroutine.spawn(() -> 1));
    samples.put(Scope.class, Scope::open);
    samples.put(Context.class, () -> Coroutine.current().scope().context());
    samples.put(TaskGroup.class, TaskGroup::open);
    samples.put(Loop.class, Loop::current);
    samples.put(LoopOptions.class, () -> LoopOptions.DEFAULT);
    samples.put(Event.class, Trigger::new);
    samples.put(Trigger.class, Trigger::new);
    samples.put(Outcome.class, () -> Outcome.value(1));
    samples.put(Outcome.Value.class, () -> Outcome.value(1));
    samples.put(Outcome.Failure.class, () -> Outcome.failure(new IOException("a sample")));
    samples.put(Selectable.class, () -> Promise.completed(1));
    samples.put(Chan.class, () -> Chan.create(1));
    samples.put(ChanOptions.class, () -> ChanOptions.of(1));
    samples.put(Promise.class, Promise::new);
    samples.put(Mutex.class, Mutex::new);
    samples.put(Permits.class, () -> new Permits(1));
    samples.put(Gate.class, Gate::new);
    samples.put(ResourcePlan.class, () -> Resources.of(() -> 1));
    samples.put(Resources.class, () -> Resources.of(() -> 1).open());
    samples.put(LoopPool.class, () -> LoopPool.open(1));
    samples.put(Worker.class, () -> Worker.create(input -> input));
    samples.put(double.class, () -> 0.5);
    samples.put(Exception.class, () -> new IOException("a sample"));
    samples.put(Attempt.class, () -> new Attempt(1, Duration.ZERO, null, null));
    samples.put(Backoff.class, Backoff::none);
    samples.put(Retry.class, Retry::of);
    samples.put(Hedge.class, () -> Hedge.of(Duration.ofHours(1)));
    samples.put(RateLimiter.class, () -> RateLimiter.create(1, Duration.ofSeconds(1)));
    samples.put(Bulkhead.class, () -> Bulkhead.create(1));
    samples.put(Breaker.class, () -> Breaker.create(1, Duration.ofSeconds(1)));
    samples.put(Ticker.class, () -> Ticker.every(Duration.ofHours(1)));
  }

  private static InetAddress loopback() {
    return InetAddress.getLoopbackAddress();
  }

  /// Closes what was made for the call.
  @Override
  public void close() throws Exception {
    while (!open.isEmpty()) {
      open.removeLast().close();
    }
  }

  /// Calls it with these arguments, and samples for those that are absent. Returns what it threw.
  @Nullable Throwable call(Class<?> type, Executable call, Map<Integer, @Nullable Object> given)
      throws Exception {
    boolean ofType = call instanceof Constructor || Modifier.isStatic(call.getModifiers());
    Object subject = ofType ? null : sample(type);
    Object[] arguments = new Object[call.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = given.containsKey(i) ? given.get(i) : sample(call.getParameterTypes()[i]);
    }
    try {
      switch (call) {
        case Constructor<?> constructor -> constructor.newInstance(arguments);
        case Method method -> method.invoke(subject, arguments);
      }
      return null;
    } catch (InvocationTargetException thrown) {
      return thrown.getCause();
    }
  }

  private Object sample(Class<?> type) throws Exception {
    Body<?> maker = samples.get(type);
    Object sample;
    if (maker != null) {
      sample = maker.run();
    } else if (type.isArray()) {
      sample = Array.newInstance(type.getComponentType(), 0);
    } else if (type.isEnum()) {
      sample = type.getEnumConstants()[0];
    } else if (type.isInterface()) {
      sample =
          Proxy.newProxyInstance(
              PublicApi.class.getClassLoader(),
              new Class<?>[] {type},
              (self, method, arguments) -> null);
    } else {
      throw new AssertionError("no sample of " + type);
    }
    boolean made = !(sample instanceof Loop) && !Proxy.isProxyClass(sample.getClass());
    if (made && sample instanceof AutoCloseable closeable) {
      open.add(closeable);
    }
    return sample;
  }

  // ---- what there is

  static List<Class<?>> types() throws Exception {
    List<Class<?>> types = new ArrayList<>();
    addTypes(Loop.class, PACKAGES, types);
    for (var built : BUILT_ON_IT.entrySet()) {
      addTypes(built.getValue(), List.of(built.getKey()), types);
    }
    assertTrue(types.size() > 40, types::toString);
    return types;
  }

  private static void addTypes(Class<?> member, List<String> packages, List<Class<?>> types)
      throws Exception {
    Path place = Path.of(member.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      addTypes(place, packages, types);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(place)) {
        addTypes(jar.getPath("/"), packages, types);
      }
    }
  }

  private static void addTypes(Path root, List<String> packages, List<Class<?>> types)
      throws Exception {
    for (String each : packages) {
      try (Stream<Path> files = Files.list(root.resolve("dev/couv").resolve(each))) {
        for (Path file : files.sorted().toList()) {
          String name = root.relativize(file).toString();
          if (name.endsWith(".class") && !name.endsWith("-info.class")) {
            Class<?> type = Class.forName(name.replace(".class", "").replace('/', '.'));
            if (isPublic(type)
                && !EXEMPT.contains(type)
                && !Throwable.class.isAssignableFrom(type)) {
              types.add(type);
            }
          }
        }
      }
    }
  }

  private static boolean isPublic(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
  }

  static List<Executable> calls(Class<?> type) {
    List<Executable> calls = new ArrayList<>(List.of(type.getConstructors()));
    for (Method method : type.getDeclaredMethods()) {
      boolean own = Modifier.isPublic(method.getModifiers()) && !method.isSynthetic();
      // What others implement is theirs to check.
      boolean done = !type.isInterface() || Modifier.isStatic(method.getModifiers());
      boolean ofUsers = !method.getName().equals("equals") && !ANSWERS.contains(method.getName());
      if (own && done && ofUsers && !type.isEnum()) {
        calls.add(method);
      }
    }
    if (Modifier.isAbstract(type.getModifiers())) {
      calls.removeIf(call -> call instanceof Constructor);
    }
    calls.sort(Comparator.comparing(Executable::toString));
    return calls;
  }
}
