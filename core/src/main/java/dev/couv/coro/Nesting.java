// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// Where a scope is among the others: which ones it has inside, and which one has it. That is the scope
/// around it, or the loop's, after it was left with zombies in it.
///
/// The scopes that a coroutine has opened and not closed are its blocks, a list from the innermost to the
/// outermost. As long as `try` closes them, it is a stack; but anybody may close any of them.
final class Nesting {
  private final Scope scope;
  private final SequencedSet<Scope> children = new LinkedHashSet<>(0);
  private @Nullable Scope parent;
  private @Nullable Nesting holder;

  /// In whose block the owner is, while it is open.
  private @Nullable Strand owner;

  private @Nullable Scope outer;

  /// Where its owner was when it opened it.
  private @Nullable CancelRegion region;

  Nesting(Scope scope) {
    this.scope = scope;
  }

  /// Before anything else.
  void beginIn(@Nullable Scope newParent) {
    parent = newParent;
    Strand opener = scope.owner();
    region = opener == null ? null : opener.regions().innermost();
    moveTo(newParent == null ? null : newParent.nesting());
  }

  /// The scope around it: what happens there happens here, and what is known there is known here.
  @Nullable Scope parent() {
    return parent;
  }

  /// A list of its own.
  List<Scope> children() {
    return List.copyOf(children);
  }

  boolean isEmpty() {
    return children.isEmpty();
  }

  /// The one that has it.
  @Nullable Scope around() {
    return holder == null ? null : holder.scope;
  }

  /// The scope and all inside, each before those inside of it. They may be any number of levels deep.
  List<Scope> tree() {
    return tree(false);
  }

  /// Those of the tree that are cancelled with the scope: not what is under a protection that began inside
  /// of it.
  List<Scope> reached() {
    return tree(true);
  }

  private List<Scope> tree(boolean reached) {
    if (children.isEmpty()) {
      return List.of(scope);
    }
    List<Scope> tree = new ArrayList<>();
    ArrayDeque<Nesting> open = new ArrayDeque<>();
    open.push(this);
    for (Nesting next; (next = open.poll()) != null; ) {
      tree.add(next.scope);
      for (Scope child : next.children.reversed()) {
        if (!reached || !child.nesting().isProtectedIn(next)) {
          open.push(child.nesting());
        }
      }
    }
    return tree;
  }

  /// Whether its owner was protected when it opened it, from what is told to the one around.
  private boolean isProtectedIn(Nesting around) {
    Strand opener = scope.owner();
    return opener != null
        && !opener.isEnded()
        && opener
            .regions()
            .isProtected(region, around.scope.owner() == opener ? around.region : null);
  }

  /// The coroutines of the scope and of all inside.
  List<Strand> strands() {
    List<Strand> strands = new ArrayList<>();
    tree().forEach(each -> strands.addAll(each.members().list()));
    return strands;
  }

  /// Those of them that are waited for: not passive.
  List<Strand> activeStrands() {
    return strands().stream().filter(strand -> !strand.isPassive()).toList();
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
    outer = opener.innermost;
    opener.innermost = scope;
  }

  /// Whether what its owner opens in the block is cancelled with the scope: not under a protection that
  /// began in the block.
  boolean reaches(Strand opener) {
    return owner == opener && !opener.regions().isProtectedInside(region);
  }

  /// Takes it out of its owner's blocks. Scopes that the owner has opened inside and that are still open,
  /// which no `try` leaves behind, are where it was. Those of its coroutines stay with them.
  void endBlock() {
    for (Scope child : children()) {
      if (child.owner() == scope.owner()) {
        child.nesting().moveTo(holder);
        if (scope.contextOrNull() == null) {
          child.nesting().parent = parent; // else it goes on to see the values
        }
      }
    }
    if (owner == null) {
      return;
    }
    if (owner.innermost == scope) {
      owner.innermost = outer;
    } else {
      unlinkFrom(owner.innermost);
    }
    owner = null;
    outer = null;
    region = null;
  }

  private void unlinkFrom(@Nullable Scope innermost) {
    for (Scope inner = innermost; inner != null; inner = inner.nesting().outer) {
      if (inner.nesting().outer == scope) {
        inner.nesting().outer = outer;
      }
    }
  }
}
