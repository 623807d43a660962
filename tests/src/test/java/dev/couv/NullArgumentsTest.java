// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Body;
import dev.couv.coro.Loop;
import dev.couv.fs.Fs;
import dev.couv.fs.Watch;
import dev.couv.fs.WatchOptions;
import dev.couv.net.ListenOptions;
import dev.couv.net.Local;
import dev.couv.net.LocalOptions;
import dev.couv.net.LocalStream;
import dev.couv.net.Names;
import dev.couv.net.ResolveOptions;
import dev.couv.net.Tcp;
import dev.couv.net.TcpOptions;
import dev.couv.net.Tls;
import dev.couv.net.TlsOptions;
import dev.couv.net.Udp;
import dev.couv.net.UdpOptions;
import dev.couv.poll.Poll;
import dev.couv.process.Command;
import dev.couv.process.Stdio;
import dev.couv.signal.Signal;
import dev.couv.time.Ticker;
import dev.couv.time.Time;
import dev.couv.tty.Terminal;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Null where the contract does not allow it is a `NullPointerException` at the call, whatever else is
/// given, before anything has been opened or started: for every public method of the packages that open
/// things, one parameter after the other.
final class NullArgumentsTest {
  @Test
  void nullIsRefusedByEveryMethodThatOpensSomething(@TempDir Path dir) throws Exception {
    List<String> accepted = new ArrayList<>();
    int[] tried = {0};
    Loop.run(
        () -> {
          InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
          List<Object> objects = new ArrayList<>();
          objects.addAll(
              List.of(
                  Tcp.class,
                  Udp.class,
                  Local.class,
                  Names.class,
                  Tls.class,
                  LocalStream.class,
                  Poll.class,
                  Watch.class,
                  Fs.class,
                  Time.class,
                  Ticker.class,
                  Signal.class,
                  Command.class,
                  Stdio.class,
                  Terminal.class));
          try (var listener = Tcp.listen(any);
              var client = Tcp.connect(listener.local());
              var accepting = listener.accept();
              var local = Local.listen(dir.resolve("socket"));
              var pair = LocalStream.pair();
              var udp = Udp.bind(any);
              var watch = Watch.path(dir);
              var file = Fs.openTempFile("null")) {
            objects.addAll(List.of(listener, client, local, pair.first(), udp, watch, file));
            objects.addAll(List.of(Command.of("true"), TcpOptions.DEFAULT, ListenOptions.DEFAULT));
            objects.addAll(List.of(UdpOptions.DEFAULT, LocalOptions.DEFAULT));
            objects.addAll(List.of(ResolveOptions.DEFAULT, WatchOptions.DEFAULT));
            int handles = Loop.current().stats().handles();
            for (Object object : objects) {
              for (Method method : methods(object)) {
                for (int i = 0; i < method.getParameterCount(); i++) {
                  if (mayNotBeNull(method.getAnnotatedParameterTypes()[i], method, i)) {
                    tried[0]++;
                    String outcome = outcome(object, method, i, dir);
                    if (!outcome.isEmpty()) {
                      accepted.add(name(method) + ", " + (i + 1) + ": " + outcome);
                    }
                  }
                }
              }
            }
            assertEquals(handles, Loop.current().stats().handles(), "something was opened");
            assertTrue(accepting.isOpen());
          }
        });

    assertEquals("", String.join("\n", accepted), () -> accepted.size() + " of " + tried[0]);
    assertTrue(tried[0] > 150, "few methods: " + tried[0]);
  }

  private static List<Method> methods(Object object) {
    boolean isStatic = object instanceof Class<?>;
    Class<?> type = isStatic ? (Class<?>) object : object.getClass();
    List<Method> found = new ArrayList<>();
    for (Method method : type.getMethods()) {
      if (Modifier.isStatic(method.getModifiers()) == isStatic
          && method.getDeclaringClass().getName().startsWith("dev.couv.")
          && !method.isBridge()
          && !method.getDeclaringClass().getName().startsWith("dev.couv.coro.")
          && !method.getName().equals("equals")) {
        found.add(method);
      }
    }
    return found;
  }

  private static boolean mayNotBeNull(AnnotatedType type, Method method, int index) {
    return !type.isAnnotationPresent(Nullable.class)
        && !method.getParameterTypes()[index].isPrimitive();
  }

  private static String name(Method method) {
    List<String> types = new ArrayList<>();
    for (Class<?> type : method.getParameterTypes()) {
      types.add(type.getSimpleName());
    }
    return method.getDeclaringClass().getSimpleName() + "." + method.getName() + types;
  }

  /// Empty if null was refused as it should be.
  private static String outcome(Object object, Method method, int nullAt, Path dir)
      throws Exception {
    Object[] arguments = new Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = i == nullAt ? null : sample(method.getParameterTypes()[i], dir);
    }
    method.setAccessible(true);
    int before = Loop.current().stats().handles();
    Body<String> call =
        () -> {
          try {
            Object result = method.invoke(object instanceof Class<?> ? null : object, arguments);
            if (result instanceof AutoCloseable opened && result != object) {
              opened.close();
            }
            return "returned " + result;
          } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            return cause instanceof NullPointerException ? "" : "threw " + cause;
          }
        };
    String outcome;
    try {
      outcome = Time.timeout(Duration.ofSeconds(30), call);
    } catch (java.util.concurrent.TimeoutException hung) {
      outcome = "waited";
    }
    if (outcome.isEmpty() && Loop.current().stats().handles() != before) {
      outcome = "something stayed open";
    }
    return outcome;
  }

  private static Object sample(Class<?> type, Path dir) throws Exception {
    Map<Class<?>, Object> known =
        Map.ofEntries(
            Map.entry(InetSocketAddress.class, new InetSocketAddress("127.0.0.1", 0)),
            Map.entry(InetAddress.class, InetAddress.ofLiteral("127.0.0.1")),
            Map.entry(String.class, "x"),
            Map.entry(Path.class, dir.resolve("nowhere")),
            Map.entry(Duration.class, Duration.ofMillis(1)),
            Map.entry(Instant.class, Instant.EPOCH),
            Map.entry(ByteBuffer.class, ByteBuffer.allocate(1)),
            Map.entry(Charset.class, StandardCharsets.UTF_8),
            Map.entry(TcpOptions.class, TcpOptions.DEFAULT),
            Map.entry(ListenOptions.class, ListenOptions.DEFAULT),
            Map.entry(UdpOptions.class, UdpOptions.DEFAULT),
            Map.entry(LocalOptions.class, LocalOptions.DEFAULT),
            Map.entry(ResolveOptions.class, ResolveOptions.DEFAULT),
            Map.entry(WatchOptions.class, WatchOptions.DEFAULT),
            Map.entry(TlsOptions.class, TlsOptions.DEFAULT),
            Map.entry(Stdio.class, Stdio.discard()),
            Map.entry(Optional.class, Optional.empty()),
            Map.entry(Set.class, new TreeSet<>()),
            Map.entry(List.class, List.of()),
            Map.entry(Map.class, Map.of()));
    if (known.containsKey(type)) {
      return known.get(type);
    }
    if (type == boolean.class) {
      return false;
    }
    if (type.isPrimitive()) {
      return Array.get(Array.newInstance(type, 1), 0);
    }
    if (type.isArray()) {
      return Array.newInstance(type.getComponentType(), 0);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isInterface() && !type.isSealed()) {
      return Proxy.newProxyInstance(
          type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> null);
    }
    return null;
  }
}
