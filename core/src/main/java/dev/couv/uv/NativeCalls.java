// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The table of linked C functions, in which a test may replace one: how failures of the system are
/// injected.
///
/// ```java
/// try (var broken = NativeCalls.replace("uv_listen", NativeCalls.failing("uv_listen", code))) {
///   …
/// }
/// ```
///
/// Any thread may link, replace and restore. A replacement is seen by every thread that starts a
/// call after `replace` returned; calls already begun are not touched. Replacements of one function
/// nest and are closed in reverse order; two threads that replace the same function at the same time
/// must agree on that between themselves.
public final class NativeCalls {
  /*
   * Each function is a MutableCallSite, and the handle that a binding keeps in its `static final`
   * constant is the site's dynamic invoker. The JIT takes the site's target for a constant and
   * throws the compiled code away when it changes, so a call costs what a directly linked one does.
   */

  /// A pointer is passed as a Java `long`; [Native] says why.
  static final ValueLayout.OfLong POINTER = JAVA_LONG;

  /// Couv runs on 64-bit platforms only, where this holds on all of them.
  static final ValueLayout.OfLong SIZE_T = JAVA_LONG;

  /// Who links what is linked, so that a call can be replaced before its first use.
  private static final List<Class<?>> BINDINGS =
      List.of(
          Memory.class,
          UvAsync.class,
          UvDns.class,
          UvErrors.class,
          UvHandle.class,
          UvIdle.class,
          UvInfo.class,
          UvLoop.class,
          UvRandom.class,
          UvRequest.class,
          UvSignal.class,
          UvStream.class,
          UvTcp.class,
          UvTimer.class);

  private static final ConcurrentMap<String, MutableCallSite> SITES = new ConcurrentHashMap<>();

  private NativeCalls() {}

  /// A replaced function, until it is closed. A second close does nothing.
  public interface Replacement extends AutoCloseable {
    @Override
    void close();
  }

  /// Lets every call of the C function `name` go to `with`, a handle of [#type] of it.
  public static Replacement replace(String name, MethodHandle with) {
    MutableCallSite site = site(name);
    if (!with.type().equals(site.type())) {
      throw new AssertionError(name + " is a " + site.type() + ", not a " + with.type());
    }
    MethodHandle previous = site.getTarget();
    set(site, with);
    return new Replacement() {
      private boolean closed;

      @Override
      public synchronized void close() {
        if (closed) return;
        closed = true;
        set(site, previous);
      }
    };
  }

  /// The Java type of the C function `name`.
  public static MethodType type(String name) {
    return site(name).type();
  }

  /// What a call of `name` does now, for a replacement that goes on to the real function. It does
  /// not follow later replacements.
  public static MethodHandle target(String name) {
    return site(name).getTarget();
  }

  /// A replacement for `name` that calls nothing and returns `code`.
  public static MethodHandle failing(String name, int code) {
    MethodType type = type(name);
    if (type.returnType() != int.class) throw new AssertionError(name + " returns no code");
    return MethodHandles.dropArguments(
        MethodHandles.constant(int.class, code), 0, type.parameterList());
  }

  /// A replacement for `name` whose `nth` call, counted from 1 over all threads, returns `code`. The
  /// others go to what `name` is now.
  public static MethodHandle failing(String name, int code, int nth) {
    MethodHandle isNth =
        find("isNth", MethodType.methodType(boolean.class, AtomicLong.class, int.class));
    return MethodHandles.guardWithTest(
        MethodHandles.insertArguments(isNth, 0, new AtomicLong(), nth),
        failing(name, code),
        target(name));
  }

  /// Links a libuv function. Where there is no libuv, the handle throws [UvLibraryError].
  static MethodHandle link(String name, FunctionDescriptor descriptor, Linker.Option... options) {
    MethodHandle target;
    try {
      target = Native.downcall(Native.symbol(name), descriptor, options);
    } catch (UvLibraryError e) {
      target = missing(name, descriptor.toMethodType());
    }
    return register(name, target);
  }

  /// Links a libuv function during which the thread does not leave its Java state: 4 ns instead of
  /// 13, but a garbage collection waits for it. Only for functions that work on memory alone: no
  /// system call, no callback.
  static MethodHandle linkCritical(String name, FunctionDescriptor descriptor) {
    return link(name, descriptor, Linker.Option.critical(false));
  }

  /// Links a libuv function newer than 1.44.2; null where the library does not have it.
  static @Nullable MethodHandle optional(String name, FunctionDescriptor descriptor) {
    try {
      return register(name, Native.downcall(Native.symbol(name), descriptor));
    } catch (UvLibraryError e) {
      return null;
    }
  }

  /// Links a function of the C library.
  static MethodHandle linkSystem(String name, FunctionDescriptor descriptor) {
    return register(name, Native.downcall(Native.systemSymbol(name), descriptor));
  }

  private static MethodHandle register(String name, MethodHandle target) {
    MutableCallSite site = new MutableCallSite(target);
    if (SITES.putIfAbsent(name, site) != null) throw new AssertionError(name + " is linked twice");
    return site.dynamicInvoker();
  }

  private static MutableCallSite site(String name) {
    MutableCallSite site = SITES.get(name);
    if (site == null) {
      BINDINGS.forEach(NativeCalls::initialize);
      site = SITES.get(name);
    }
    if (site == null) throw new AssertionError("no function " + name + " is linked");
    return site;
  }

  private static void set(MutableCallSite site, MethodHandle target) {
    site.setTarget(target);
    MutableCallSite.syncAll(new MutableCallSite[] {site});
  }

  private static void initialize(Class<?> binding) {
    try {
      MethodHandles.lookup().ensureInitialized(binding);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /// A handle of this type that asks for the symbol again, and so throws again.
  private static MethodHandle missing(String name, MethodType type) {
    MethodHandle ask = find("ask", MethodType.methodType(void.class, String.class)).bindTo(name);
    MethodHandle call = MethodHandles.foldArguments(MethodHandles.zero(type.returnType()), ask);
    return MethodHandles.dropArguments(call, 0, type.parameterList());
  }

  private static MethodHandle find(String method, MethodType type) {
    try {
      return MethodHandles.lookup().findStatic(NativeCalls.class, method, type);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /// Found by name in [#failing].
  private static boolean isNth(AtomicLong calls, int nth) {
    return calls.incrementAndGet() == nth;
  }

  /// Found by name in [#missing].
  private static void ask(String name) {
    var unused = Native.symbol(name);
  }
}
