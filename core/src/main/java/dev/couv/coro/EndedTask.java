// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A task of a group that has ended, in the order they did. Each knows the next only: whoever is somewhere
/// in the chain keeps what comes behind, and nobody keeps what all have passed.
final class EndedTask<T extends @Nullable Object> {
  private final @Nullable Task<T> task;
  private final long place;
  private @Nullable EndedTask<T> next;

  private EndedTask(@Nullable Task<T> task, long place) {
    this.task = task;
    this.place = place;
  }

  /// The beginning of a chain.
  static <T extends @Nullable Object> EndedTask<T> none() {
    return new EndedTask<>(null, 0);
  }

  /// To the last one; returns the new last.
  EndedTask<T> append(Task<T> ended) {
    EndedTask<T> appended = new EndedTask<>(ended, place + 1);
    next = appended;
    return appended;
  }

  Task<T> task() {
    if (task == null) {
      throw new AssertionError("the beginning is no task");
    }
    return task;
  }

  @Nullable EndedTask<T> next() {
    return next;
  }

  /// That of the two which ended later.
  EndedTask<T> orLater(EndedTask<T> other) {
    return other.place > place ? other : this;
  }

  /// Those behind it.
  List<Task<T>> later() {
    List<Task<T>> later = new ArrayList<>();
    for (EndedTask<T> at = next; at != null; at = at.next) {
      later.add(at.task());
    }
    return later;
  }

  /// Looks for the first one behind it that is of that kind.
  Search<T> search(Predicate<Task<T>> kind) {
    return new Search<>(this, kind);
  }

  /// A search that goes on where it was whenever it is asked.
  static final class Search<T extends @Nullable Object> {
    private final Predicate<Task<T>> kind;
    private EndedTask<T> at;
    private @Nullable Task<T> found;

    private Search(EndedTask<T> start, Predicate<Task<T>> kind) {
      this.at = start;
      this.kind = kind;
    }

    boolean isFound() {
      for (EndedTask<T> next; found == null && (next = at.next) != null; at = next) {
        found = kind.test(next.task()) ? next.task() : null;
      }
      return found != null;
    }

    Task<T> found() {
      if (found == null) {
        throw new AssertionError("not found yet");
      }
      return found;
    }
  }
}
