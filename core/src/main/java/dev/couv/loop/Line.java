// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who waits for the same thing, the oldest first. A member knows its neighbours: whoever leaves, from
/// wherever he stands, is not searched for, and the others keep their order. So cancelling a hundred
/// thousand who wait costs each of them the same, in whatever order.
///
/// Belongs to whatever it is the line of: confined to a loop, or guarded by a lock.
///
/// @param <M> what stands in it
public final class Line<M extends Line.Member> {
  /// Somebody who can stand in a line, in one at a time.
  public abstract static class Member {
    private @Nullable Line<?> line;
    private @Nullable Member older;
    private @Nullable Member younger;

    /// Leaves the line that it stands in. False if it stands in none.
    public final boolean leaveLine() {
      Line<?> left = line;
      return left != null && left.unlink(this);
    }
  }

  private @Nullable Member oldest;
  private @Nullable Member youngest;
  private int size;

  /// The oldest, or null.
  public @Nullable M first() {
    return cast(oldest);
  }

  /// The one that came after that member, or null.
  public @Nullable M next(M member) {
    return cast(((Member) member).younger);
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public int size() {
    return size;
  }

  /// To the end.
  public void add(M member) {
    insert(youngest, member);
  }

  /// In front of that member; at the end if that is null.
  public void addBefore(@Nullable M successor, M member) {
    insert(successor == null ? youngest : ((Member) successor).older, member);
  }

  /// False if it is not in this line.
  public boolean remove(M member) {
    return ((Member) member).line == this && unlink(member);
  }

  /// Takes the oldest out; null if there is nobody.
  public @Nullable M poll() {
    M first = first();
    if (first != null) {
      unlink(first);
    }
    return first;
  }

  /// Whether a member is taken out of its line. Does not park, nor touch the line.
  @FunctionalInterface
  public interface Choice<M> {
    boolean takes(M member);
  }

  /// Takes those out who are chosen, the oldest first.
  public List<M> takeIf(Choice<? super M> choice) {
    M only = size == 1 ? first() : null;
    if (only != null) {
      return choice.takes(only) && remove(only) ? List.of(only) : List.of();
    }
    List<M> taken = new ArrayList<>(1);
    for (M next = first(); next != null; ) {
      M at = next;
      next = next(at);
      if (choice.takes(at)) {
        remove(at);
        taken.add(at);
      }
    }
    return taken;
  }

  /// Takes all of them out.
  public List<M> drain() {
    if (size == 0) {
      return List.of();
    }
    List<M> taken = new ArrayList<>(size);
    for (M first; (first = poll()) != null; ) {
      taken.add(first);
    }
    return taken;
  }

  /// Those who stand in it now, in a list of its own: for who might be parked while he goes through it.
  public List<M> list() {
    List<M> list = new ArrayList<>(size);
    for (M at = first(); at != null; at = next(at)) {
      list.add(at);
    }
    return list;
  }

  private void insert(@Nullable Member before, Member member) {
    if (member.line != null) {
      throw new AssertionError(member + " stands in a line already");
    }
    member.line = this;
    Member after = before == null ? oldest : before.younger;
    member.older = before;
    member.younger = after;
    if (before == null) {
      oldest = member;
    } else {
      before.younger = member;
    }
    if (after == null) {
      youngest = member;
    } else {
      after.older = member;
    }
    size++;
  }

  private boolean unlink(Member member) {
    Member before = member.older;
    Member after = member.younger;
    if (before == null) {
      oldest = after;
    } else {
      before.younger = after;
    }
    if (after == null) {
      youngest = before;
    } else {
      after.older = before;
    }
    member.line = null;
    member.older = null;
    member.younger = null;
    size--;
    return true;
  }

  @SuppressWarnings("unchecked") // nothing else was added
  private @Nullable M cast(@Nullable Member member) {
    return (M) member;
  }
}
