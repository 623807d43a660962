// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What is left until the strands that were ready have had their turns: what they wrote goes out together.
final class TurnEnd {
  private final Consumer<Throwable> escaped;
  private List<Runnable> tasks = new ArrayList<>();

  /// The list of the time before, to be used again; null while it is gone through.
  private @Nullable List<Runnable> spare = new ArrayList<>();

  /// What a task throws is told to that one.
  TurnEnd(Consumer<Throwable> escaped) {
    this.escaped = escaped;
  }

  void add(Runnable task) {
    tasks.add(task);
  }

  /// On the loop's thread. What tasks add is for the next time.
  void reached() {
    if (tasks.isEmpty()) {
      return;
    }
    List<Runnable> due = tasks;
    tasks = spare == null ? new ArrayList<>() : spare;
    spare = null;
    for (int i = 0; i < due.size(); i++) { // by index: an iterator is an object for every turn
      try {
        due.get(i).run();
      } catch (Throwable thrown) {
        escaped.accept(thrown);
      }
    }
    due.clear();
    spare = due;
  }
}
