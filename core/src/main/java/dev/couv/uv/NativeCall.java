// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One C function: linked by its first call, and replaceable.
///
/// Any thread.
final class NativeCall {
  /*
   * The site's target is, in this order: `first`, which links the function and lets the call
   * through; the linked function; and, while a test wants it, a replacement. The JIT takes the
   * target for a constant and throws the compiled code away when it changes, so a call through the
   * site's dynamic invoker costs what a direct one does.
   *
   * Linked by the first call and not before, because linking a signature costs some milliseconds
   * and most programs call few of the functions; and because a class that links in its static
   * initialiser is lost for ever where the library is missing.
   *
   * The lock guards changes of the target. It is never held while linking: a coroutine that was
   * suspended in there would hold it against its own loop.
   */

  private static final MethodType LINK = MethodType.methodType(MethodHandle.class);

  private final Supplier<MethodHandle> linker;
  private final MutableCallSite site;
  private final MethodHandle first;
  private volatile @Nullable MethodHandle linked;

  /// `linker` gives a handle of this type, or throws, then and at each further call.
  NativeCall(MethodType type, Supplier<MethodHandle> linker) {
    this.linker = linker;
    this.site = new MutableCallSite(type);
    this.first = MethodHandles.foldArguments(MethodHandles.exactInvoker(type), bind("link"));
    site.setTarget(first);
  }

  MethodType type() {
    return site.type();
  }

  /// What a caller keeps in a constant and calls.
  MethodHandle invoker() {
    return site.dynamicInvoker();
  }

  /// What a call does now: the function itself, or its replacement.
  MethodHandle target() {
    MethodHandle target = site.getTarget();
    return target.equals(first) ? link() : target;
  }

  /// Returns the former target. Calls that begin after this go to the new one.
  synchronized MethodHandle setTarget(MethodHandle target) {
    MethodHandle former = site.getTarget();
    site.setTarget(target);
    MutableCallSite.syncAll(new MutableCallSite[] {site});
    return former;
  }

  /// The function itself. Found by name, for `first`.
  private MethodHandle link() {
    MethodHandle handle = linked;
    if (handle == null) {
      handle = linker.get();
      linked = handle;
    }
    settle(handle);
    return handle;
  }

  /// Lets further calls go to `handle` directly, unless a test has replaced the function meanwhile.
  private synchronized void settle(MethodHandle handle) {
    if (site.getTarget().equals(first)) site.setTarget(handle);
  }

  private MethodHandle bind(String method) {
    try {
      return MethodHandles.lookup().bind(this, method, LINK);
    } catch (ReflectiveOperationException e) {
      throw Native.unexpected(e);
    }
  }
}
