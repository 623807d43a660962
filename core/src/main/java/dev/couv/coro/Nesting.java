// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where a scope is among the others: which ones it has inside, and which one has it. That is the scope
/// around it, or the loop's, after it was left with zombies in it.
final class Nesting {
  private final Scope scope;
  private final Set<Scope> children = new LinkedHashSet<>(0);
  private @Nullable Nesting holder;

  Nesting(Scope scope) {
    this.scope = scope;
  }

  /// A list of its own.
  List<Scope> children() {
    return List.copyOf(children);
  }

  /// Out of where it is, and into another if there is one.
  void moveTo(@Nullable Nesting newHolder) {
    if (holder != null) {
      holder.children.remove(scope);
    }
    holder = newHolder;
    if (newHolder != null) {
      newHolder.children.add(scope);
    }
  }
}
