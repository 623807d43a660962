// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One C function: linked when it is bound, and replaceable.
///
/// Any thread.
final class NativeCall {
  /*
   * The site's target is, in this order: `first`, which links the function and lets the call
   * through; the linked function; and, while a test wants it, a replacement. The JIT takes the
   * target of a site that it knows for a constant and throws the compiled code away when it changes,
   * so a call through the site costs what a direct one does.
   *
   * Linked with its class, in the static initialiser, and not by its first call. Linking takes locks, of the JDK's and
   * this one, and so may park a coroutine, which would then have its arguments in memory that all coroutines of the loop
   * use in turn (loop.Scratch); and what gives something back may be called for the first time where there is no memory
   * left to link it. In a static initialiser nobody is parked: the thread waits. It takes some 60 µs for a function.
   *
   * What could not be linked then is linked by its first call, which says why not: so a class is not lost for ever where
   * the library is missing, or too old. All handles here have one of the two types of `Shape`.
   *
   * The lock guards changes of the target. It is never held while linking: a coroutine that was
   * suspended in there would hold it against its own loop.
   */

  /// Of the function: what a replacement has to be.
  final MethodType type;

  /// Where a call goes. A caller keeps it in a constant.
  final MutableCallSite site;

  private final Supplier<MethodHandle> linker;
  private final MethodHandle first;
  private volatile @Nullable MethodHandle linked;

  /// What the function is replaced by, if it is.
  private @Nullable MethodHandle replacement;

  /// `linker` gives a handle that has the [Shape] of this type, or throws, then and at each further call.
  NativeCall(MethodType type, Supplier<MethodHandle> linker) {
    this.type = type;
    this.linker = linker;
    this.first = bind(Shape.longs(type));
    this.site = new MutableCallSite(first);
  }

  /// What a call does now: the function itself, or its replacement.
  MethodHandle target() {
    synchronized (this) {
      if (replacement != null) return replacement;
    }
    return Shape.narrowed(function(), type);
  }

  /// Calls that begin after this go to that, or to the function itself if it is null. Returns what was so before.
  synchronized @Nullable MethodHandle replace(@Nullable MethodHandle with) {
    MethodHandle former = replacement;
    MethodHandle function = linked;
    replacement = with;
    if (with != null) {
      site.setTarget(Shape.widened(with));
    } else {
      site.setTarget(function == null ? first : function);
    }
    MutableCallSite.syncAll(new MutableCallSite[] {site});
    return former;
  }

  private MethodHandle function() {
    MethodHandle handle = linked;
    if (handle == null) {
      handle = linker.get();
      linked = handle;
    }
    return handle;
  }

  /// The function itself. Lets further calls go there directly, unless a test has replaced it meanwhile.
  MethodHandle link() {
    MethodHandle function = function();
    synchronized (this) {
      if (replacement == null) site.setTarget(function);
    }
    return function;
  }

  @SuppressWarnings("UnusedMethod") // found by name
  private long first(long a, long b, long c, long d, long e, long f) throws Throwable {
    return (long) link().invokeExact(a, b, c, d, e, f);
  }

  @SuppressWarnings("UnusedMethod") // found by name
  private long first(long a, long b, long c, long d, long e, long f, long g) throws Throwable {
    return (long) link().invokeExact(a, b, c, d, e, f, g);
  }

  private MethodHandle bind(MethodType longs) {
    try {
      return MethodHandles.lookup().bind(this, "first", longs);
    } catch (ReflectiveOperationException e) {
      throw Native.unexpected(e);
    }
  }
}
