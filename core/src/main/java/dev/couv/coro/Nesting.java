// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.CancelRegion;
import dev.couv.strand.Regions;
import dev.couv.strand.Strand;
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
  private final Block block;
  private final SequencedSet<Block> children = new LinkedHashSet<>(0);
  private @Nullable Block parent;
  private @Nullable Nesting holder;

  /// In whose block the owner is, while it is open.
  private @Nullable Strand owner;

  private @Nullable Block outer;

  /// Where its owner was when it opened it.
  private @Nullable CancelRegion region;

  Nesting(Block block, @Nullable Block parent) {
    this.block = block;
    this.parent = parent;
    Strand opener = block.owner;
    region = opener == null ? null : opener.regions().innermost();
    moveTo(parent == null ? null : parent.nesting);
  }

  /// The loop's own.
  Block root() {
    Block root = block;
    for (Block around; (around = root.nesting.parent) != null; ) {
      root = around;
    }
    return root;
  }

  /// The scope around it: what happens there happens here, and what is known there is known here.
  @Nullable Block parent() {
    return parent;
  }

  /// A list of its own.
  List<Block> children() {
    return List.copyOf(children);
  }

  boolean isEmpty() {
    return children.isEmpty();
  }

  /// The one that has it.
  @Nullable Block around() {
    return holder == null ? null : holder.block;
  }

  /// The scope and all inside, each before those inside of it. They may be any number of levels deep.
  List<Block> tree() {
    return tree(false);
  }

  /// Those of the tree that are cancelled with the scope: not what is under a protection that began inside
  /// of it.
  List<Block> reached() {
    return tree(true);
  }

  private List<Block> tree(boolean reached) {
    if (children.isEmpty()) {
      return List.of(block);
    }
    List<Block> tree = new ArrayList<>();
    ArrayDeque<Nesting> open = new ArrayDeque<>();
    open.push(this);
    for (Nesting next; (next = open.poll()) != null; ) {
      tree.add(next.block);
      for (Block child : next.children.reversed()) {
        if (!reached || !child.nesting.isProtectedIn(next)) {
          open.push(child.nesting);
        }
      }
    }
    return tree;
  }

  /// Whether its owner was protected when it opened it, from what is told to the one around.
  private boolean isProtectedIn(Nesting around) {
    Strand opener = block.owner;
    return opener != null
        && !opener.isEnded()
        && opener
            .regions()
            .isProtected(region, around.block.owner == opener ? around.region : null);
  }

  /// The coroutines of the scope and of all inside.
  List<Strand> strands() {
    List<Strand> strands = new ArrayList<>();
    tree().forEach(each -> strands.addAll(each.members.list()));
    return strands;
  }

  /// Those of them that are waited for: not passive.
  List<Strand> activeStrands() {
    return strands().stream().filter(strand -> !strand.isPassive()).toList();
  }

  /// Whether the coroutine is one of the scope, or of a scope inside.
  boolean has(Strand coroutine) {
    for (Block at = Block.of(coroutine); at != null; at = at.nesting.parent) {
      if (at == block) {
        return true;
      }
    }
    return false;
  }

  /// Out of where it is, and into another if there is one.
  void moveTo(@Nullable Nesting newHolder) {
    if (holder != null) {
      holder.children.remove(block);
    }
    holder = newHolder;
    if (newHolder != null) {
      newHolder.children.add(block);
    }
  }

  /// The coroutine has opened it.
  void beginBlock(Strand opener) {
    owner = opener;
    outer = (Block) opener.block();
    opener.block(block);
  }

  /// Whether what its owner opens in the block is cancelled with the scope: not under a protection that
  /// began in the block.
  boolean reaches(Strand opener) {
    Regions regions = opener.regions();
    return owner == opener && !regions.isProtected(regions.innermost(), region);
  }

  /// Takes it out of its owner's blocks. Scopes that the owner has opened inside and that are still open,
  /// which no `try` leaves behind, are where it was. Those of its coroutines stay with them.
  void endBlock() {
    for (Block child : children()) {
      if (child.owner == block.owner) {
        child.nesting.moveTo(holder);
        if (block.contextOrNull() == null) {
          child.nesting.parent = parent; // else it goes on to see the values
        }
      }
    }
    if (owner == null) {
      return;
    }
    if (owner.block() == block) {
      owner.block(outer);
    } else {
      unlinkFrom((Block) owner.block());
    }
    owner = null;
    outer = null;
    region = null;
  }

  private void unlinkFrom(@Nullable Block innermost) {
    for (Block inner = innermost; inner != null; inner = inner.nesting.outer) {
      if (inner.nesting.outer == block) {
        inner.nesting.outer = outer;
      }
    }
  }
}
