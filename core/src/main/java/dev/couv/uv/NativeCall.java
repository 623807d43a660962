// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.Collections;
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
   * The site takes and gives `long` only, as many as the function takes, because a program has few
   * types of that kind, and each type costs milliseconds, too. What it goes to narrows and widens.
   *
   * The lock guards changes of the target. It is never held while linking: a coroutine that was
   * suspended in there would hold it against its own loop.
   */

  private static final MethodType LINK = MethodType.methodType(MethodHandle.class);

  private final MethodType type;
  private final Supplier<MethodHandle> linker;
  private final MutableCallSite site;
  private final MethodHandle first;
  private volatile @Nullable MethodHandle linked;

  /// What the site goes to, as the function has it; null while that is `first`.
  private volatile @Nullable MethodHandle target;

  /// `linker` gives a handle of this type, or throws, then and at each further call.
  NativeCall(MethodType type, Supplier<MethodHandle> linker) {
    this.type = type;
    this.linker = linker;
    MethodType wide =
        MethodType.methodType(long.class, Collections.nCopies(type.parameterCount(), long.class));
    this.site = new MutableCallSite(wide);
    this.first = MethodHandles.foldArguments(MethodHandles.exactInvoker(wide), bind("link"));
    site.setTarget(first);
  }

  /// Of the function: what a replacement has to be.
  MethodType type() {
    return type;
  }

  /// What a caller keeps in a constant and calls, with a `long` for each argument and for the result, if any.
  MethodHandle invoker() {
    return site.dynamicInvoker();
  }

  /// What a call does now: the function itself, or its replacement.
  MethodHandle target() {
    MethodHandle now = target;
    return now == null ? function() : now;
  }

  /// Returns the former target, null if the function was not linked. Calls that begin after this go to the new one.
  synchronized @Nullable MethodHandle setTarget(@Nullable MethodHandle now) {
    MethodHandle former = target;
    target = now;
    site.setTarget(now == null ? first : wide(now));
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

  /// The function itself, as the site takes it.
  @SuppressWarnings("UnusedMethod") // found by name, for `first`
  private MethodHandle link() {
    MethodHandle function = function();
    MethodHandle wide = wide(function);
    settle(function, wide);
    return wide;
  }

  /// Lets further calls go to the function directly, unless a test has replaced it meanwhile.
  private synchronized void settle(MethodHandle function, MethodHandle wide) {
    if (target != null) return;
    target = function;
    site.setTarget(wide);
  }

  private MethodHandle wide(MethodHandle handle) {
    return MethodHandles.explicitCastArguments(handle, site.type());
  }

  private MethodHandle bind(String method) {
    try {
      return MethodHandles.lookup().bind(this, method, LINK);
    } catch (ReflectiveOperationException e) {
      throw Native.unexpected(e);
    }
  }
}
