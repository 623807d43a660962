// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/// All bound C functions, of which a test may replace one: how failures of the system are injected.
///
/// ```java
/// try (var broken = NativeCalls.replace("uv_listen", NativeCalls.failing("uv_listen", code))) {
///   …
/// }
/// ```
///
/// Any thread may bind, replace and restore. A replacement is seen by every thread that starts a
/// call after `replace` returned; calls already begun are not touched. Replacements of one function
/// nest and are closed in reverse order; two threads that replace the same function at the same
/// time must agree on that between themselves.
public final class NativeCalls {
  /// Who binds them, so that a call can be replaced before its first use.
  static final List<Class<?>> BINDINGS =
      List.of(
          Epoll.class,
          Inotify.class,
          Memory.class,
          Posix.class,
          PosixBytes.class,
          PosixDescriptor.class,
          PosixSocket.class,
          PosixSpawn.class,
          Termios.class,
          UvAsync.class,
          UvDns.class,
          UvEnv.class,
          UvErrors.class,
          UvFile.class,
          UvFs.class,
          UvFsRequest.class,
          UvHandle.class,
          UvLoop.class,
          UvMachine.class,
          UvPipe.class,
          UvPoll.class,
          UvProcess.class,
          UvRequest.class,
          UvSignal.class,
          UvStream.class,
          UvTcp.class,
          UvTimer.class,
          UvTty.class,
          UvUdp.class);

  private static final MethodHandle AS_BOOLEAN = asBoolean();

  private NativeCalls() {}

  /// A replaced function, until it is closed. A second close does nothing.
  public interface Replacement extends AutoCloseable {
    @Override
    void close();
  }

  /// Lets every call of the C function `name` go to `with`, a handle of [#type] of it.
  public static Replacement replace(String name, MethodHandle with) {
    NativeCall call = call(name);
    if (!with.type().equals(call.type)) {
      throw new AssertionError(name + " is a " + call.type + ", not a " + with.type());
    }
    MethodHandle former = call.replace(with);
    AtomicBoolean closed = new AtomicBoolean();
    return () -> {
      if (!closed.getAndSet(true)) call.replace(former);
    };
  }

  /// The Java type of the C function `name`.
  public static MethodType type(String name) {
    return call(name).type;
  }

  /// The C names of all functions that are bound.
  static Set<String> names() {
    BINDINGS.forEach(NativeCalls::initialize);
    return Binder.names();
  }

  /// What a call of `name` does now, for a replacement that goes on to the real function. It does
  /// not follow later replacements.
  public static MethodHandle target(String name) {
    return call(name).target();
  }

  /// A replacement for `name` that calls nothing and returns `code`.
  public static MethodHandle failing(String name, int code) {
    MethodType type = type(name);
    return MethodHandles.dropArguments(answer(name, code), 0, type.parameterList());
  }

  /// A replacement for `name` whose `nth` call, counted from 1 over all threads, returns `code`.
  /// The others go to what `name` is now.
  public static MethodHandle failing(String name, int code, int nth) {
    AtomicLong calls = new AtomicLong();
    BooleanSupplier isNth = () -> calls.incrementAndGet() == nth;
    return MethodHandles.guardWithTest(AS_BOOLEAN.bindTo(isNth), failing(name, code), target(name));
  }

  /// A replacement for `name` that makes the call and returns `code` nevertheless: how a close fails, which
  /// gives its descriptor up whatever it answers.
  public static MethodHandle failingAfterwards(String name, int code) {
    MethodHandle answer = answer(name, code);
    return MethodHandles.filterReturnValue(
        target(name), MethodHandles.dropArguments(answer, 0, answer.type().returnType()));
  }

  private static MethodHandle answer(String name, int code) {
    Class<?> type = type(name).returnType();
    if (type == int.class) return MethodHandles.constant(type, code);
    if (type == long.class) return MethodHandles.constant(type, (long) code);
    throw new AssertionError(name + " returns no code");
  }

  private static NativeCall call(String name) {
    NativeCall call = Binder.find(name);
    if (call == null) {
      BINDINGS.forEach(NativeCalls::initialize);
      call = Binder.find(name);
    }
    if (call == null) throw new AssertionError("no function " + name + " is bound");
    return call;
  }

  private static void initialize(Class<?> binding) {
    try {
      MethodHandles.lookup().ensureInitialized(binding);
    } catch (IllegalAccessException e) {
      throw Native.unexpected(e);
    }
  }

  private static MethodHandle asBoolean() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(BooleanSupplier.class, "getAsBoolean", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException e) {
      throw Native.unexpected(e);
    }
  }
}
