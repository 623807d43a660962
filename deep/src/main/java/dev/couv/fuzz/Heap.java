// SPDX-License-Identifier: Apache-2.0
package dev.couv.fuzz;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.coro.TaskGroup;
import dev.couv.coro.Trigger;
import dev.couv.fs.Fs;
import dev.couv.fs.Watch;
import dev.couv.net.LocalStream;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.Udp;
import dev.couv.pool.LoopPool;
import dev.couv.process.Command;
import dev.couv.sync.Chan;
import dev.couv.sync.Gate;
import dev.couv.sync.Mutex;
import dev.couv.sync.Permits;
import dev.couv.sync.Promise;
import dev.couv.sync.Resources;
import dev.couv.time.Ticker;
import dev.couv.time.Time;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The values that calls are made with: what earlier calls have returned, things that every episode begins
/// with, and odd numbers, texts, buffers and functions.
final class Heap {
  private static final int MOST = 400;
  private static final int MOST_THREADS = 50;

  private final Random random;
  private final Path directory;
  private final List<Object> kept = new ArrayList<>();
  private boolean odd;

  @SuppressWarnings("resource") // closed by closeAll
  Heap(Random random, Path directory) throws Exception {
    this.random = random;
    this.directory = directory;
    InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Path file = directory.resolve("file");
    Fs.writeStringNow(file, "some text\nand more\n");
    TcpListener listener = Tcp.listen(anywhere);
    kept.add(Tcp.connect(listener.local()));
    kept.add(listener.accept());
    kept.add(listener);
    var pair = LocalStream.pair();
    kept.add(pair.first());
    kept.add(pair.second());
    kept.add(Udp.bind(anywhere));
    kept.add(Fs.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
    kept.add(Watch.path(directory));
    kept.add(Chan.create(0));
    kept.add(Chan.create(2));
    kept.add(new Promise<>());
    kept.add(new Mutex());
    kept.add(new Permits(1));
    kept.add(new Gate());
    kept.add(new Trigger<>());
    kept.add(Ticker.every(Duration.ofMillis(1)));
    kept.add(Resources.of(() -> "resource").max(2).open());
    kept.add(Command.of("cat"));
    kept.add(Loop.current());
  }

  /// What the method is called on; null if there is nothing of the kind.
  synchronized @Nullable Object target(Method method) {
    return PublicApi.isStatic(method) ? null : pick(method.getDeclaringClass());
  }

  private @Nullable Object pick(Class<?> type) {
    List<Object> fitting = kept.stream().filter(type::isInstance).toList();
    return fitting.isEmpty() ? null : fitting.get(random.nextInt(fitting.size()));
  }

  /// Whether an argument of the last call was null.
  synchronized boolean wasOdd() {
    return odd;
  }

  synchronized @Nullable Object[] arguments(Method method) {
    odd = false;
    Class<?>[] types = method.getParameterTypes();
    @Nullable Object[] values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      values[i] = value(types[i]);
      if (method.getDeclaringClass() == LoopPool.class && values[i] instanceof Integer threads) {
        values[i] =
            Math.min(threads, MOST_THREADS); // thousands take the machine's time, and show no more
      }
      odd |= values[i] == null;
    }
    return values;
  }

  synchronized void keep(@Nullable Object result) {
    if (result != null && result.getClass().getName().startsWith("dev.couv.")) {
      if (kept.size() < MOST) {
        kept.add(result);
      } else if (result instanceof LoopPool pool) {
        pool.cancel(); // nobody would: it lives by its threads
      }
    }
  }

  @SuppressWarnings(
      "FutureReturnValueIgnored") // a future that nobody completes is a value like others
  private @Nullable Object value(Class<?> type) {
    if (!type.isPrimitive() && random.nextInt(40) == 0) {
      return null;
    }
    if (type == int.class || type == Integer.class) {
      return number();
    }
    if (type == long.class || type == Long.class) {
      return random.nextInt(8) == 0 ? random.nextLong() : number();
    }
    if (type == boolean.class) {
      return random.nextBoolean();
    }
    if (type == double.class) {
      return random.nextDouble();
    }
    if (type == String.class) {
      return oneOf("localhost", "127.0.0.1", "http", "cat", "echo", "é\n", "name", "80", "");
    }
    if (type == Duration.class) {
      return oneOf(
          Duration.ZERO,
          Duration.ofMillis(1),
          Duration.ofMillis(10),
          Duration.ofSeconds(-1),
          Duration.ofSeconds(Long.MAX_VALUE),
          Duration.ofNanos(1));
    }
    if (type == Path.class) {
      return directory.resolve(oneOf("file", "other", "deep/er", "dir", "link").toString());
    }
    if (type == InetSocketAddress.class) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), random.nextInt(3));
    }
    if (ByteBuffer.class.isAssignableFrom(type)) {
      return buffer();
    }
    if (type == byte[].class) {
      return new byte[random.nextInt(100)];
    }
    if (type.isEnum()) {
      Object[] constants = type.getEnumConstants();
      return constants[random.nextInt(constants.length)];
    }
    if (type.isArray()) {
      Object array = Array.newInstance(type.getComponentType(), random.nextInt(3));
      for (int i = 0; i < Array.getLength(array); i++) {
        Object element = value(type.getComponentType());
        odd |= element == null;
        Array.set(array, i, element);
      }
      return array;
    }
    if (List.class.isAssignableFrom(type) || type == Iterable.class) {
      return List.of();
    }
    if (type == Set.class) {
      return Set.of();
    }
    if (type == Map.class) {
      return Map.of("NAME", "value");
    }
    if (CompletableFuture.class.isAssignableFrom(type) || type.getName().endsWith("Stage")) {
      return new CompletableFuture<>();
    }
    Object known = pick(type);
    if (known != null && type != Object.class) {
      return known;
    }
    if (isFunction(type)) {
      return function(type);
    }
    return type == Object.class ? oneOf("key", 1, List.of()) : known;
  }

  private static boolean isFunction(Class<?> type) {
    boolean known =
        type.getName().startsWith("dev.couv.")
            || type.getName().startsWith("java.util.function.")
            || type == Runnable.class
            || type == Callable.class;
    return known && type.isInterface() && !type.isSealed();
  }

  private Object number() {
    return switch (random.nextInt(6)) {
      case 0 -> -1;
      case 1 -> Integer.MAX_VALUE;
      case 2 -> random.nextInt(70_000);
      default -> random.nextInt(5);
    };
  }

  private ByteBuffer buffer() {
    int size = random.nextInt(5) == 0 ? 100_000 : random.nextInt(64);
    ByteBuffer made =
        random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
    made.position(size == 0 ? 0 : random.nextInt(size));
    return random.nextInt(10) == 0 ? made.asReadOnlyBuffer() : made;
  }

  private Object oneOf(Object... values) {
    return values[random.nextInt(values.length)];
  }

  /// A function that returns, waits or throws.
  private Object function(Class<?> type) {
    int what = random.nextInt(5);
    return Proxy.newProxyInstance(
        type.getClassLoader() == null ? Heap.class.getClassLoader() : type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "hashCode" -> {
              return System.identityHashCode(proxy);
            }
            case "equals" -> {
              return proxy == arguments[0];
            }
            case "toString" -> {
              return "a function";
            }
            default -> {}
          }
          boolean mayThrow = List.of(method.getExceptionTypes()).contains(Exception.class);
          if (what == 0 && mayThrow) {
            throw new Exception("of a function that fails");
          }
          if (what == 1) {
            throw new IllegalStateException("of a function that fails");
          }
          if (what == 2 && mayThrow) {
            Time.sleep(Duration.ofMillis(1));
          }
          return result(method.getReturnType());
        });
  }

  private static @Nullable Object result(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 0L;
    }
    return type.isInstance("value") ? "value" : null;
  }

  /// Closes whatever can be.
  synchronized void endPools() {
    kept.forEach(
        each -> {
          if (each instanceof LoopPool pool) {
            pool.cancel();
          }
        });
  }

  synchronized void closeAll() {
    for (Object each : kept.reversed()) {
      boolean skip = each instanceof Loop || each instanceof Scope || each instanceof TaskGroup<?>;
      if (!skip && each instanceof AutoCloseable closeable) {
        try {
          closeable.close();
        } catch (Exception refused) {
          // Somebody else is at it: it is closed with its loop.
        }
      } else if (each instanceof Coroutine<?> coroutine && coroutine != Coroutine.current()) {
        try {
          coroutine.cancel();
        } catch (IllegalStateException elsewhere) {
          // It is another loop's.
        }
      }
    }
  }
}
