// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where a scope is among the others: which ones it has inside, and which one has it. That is the scope
/// around it, or the loop's, after it was left with zombies in it.
///
/// The scopes that a coroutine has opened and not closed are its blocks, a list from the innermost to the
/// outermost. As long as `try` closes them, it is a stack; but anybody may close any of them.
final class Nesting {
  private final Scope scope;
  private final Set<Scope> children = new LinkedHashSet<>(0);
  private @Nullable Nesting holder;

  /// In whose block the owner is, while it is open.
  private @Nullable Strand owner;

  private @Nullable Scope around;

  Nesting(Scope scope) {
    this.scope = scope;
  }

  /// A list of its own.
  List<Scope> children() {
    return List.copyOf(children);
  }

  /// Whether the coroutine is one of the scope, or of a scope inside.
  boolean has(Strand coroutine) {
    for (Scope at = coroutine.scope(); at != null; at = at.parent()) {
      if (at == scope) {
        return true;
      }
    }
    return false;
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

  /// The scope that the coroutine is in at this moment: the block's, or its own.
  static Scope blockOf(Strand coroutine) {
    return coroutine.innermost == null ? coroutine.scope() : coroutine.innermost;
  }

  /// The coroutine has opened it.
  void beginBlock(Strand opener) {
    owner = opener;
    around = opener.innermost;
    opener.innermost = scope;
  }

  /// Takes it out of its owner's blocks. Scopes inside that are still open, which no `try` leaves
  /// behind, are where it was.
  void endBlock() {
    for (Scope child : children()) {
      child.nesting().moveTo(holder);
    }
    if (owner == null) {
      return;
    }
    if (owner.innermost == scope) {
      owner.innermost = around;
    } else {
      unlinkFrom(owner.innermost);
    }
    owner = null;
    around = null;
  }

  private void unlinkFrom(@Nullable Scope innermost) {
    for (Scope inner = innermost; inner != null; inner = inner.nesting().around) {
      if (inner.nesting().around == scope) {
        inner.nesting().around = around;
      }
    }
  }
}
