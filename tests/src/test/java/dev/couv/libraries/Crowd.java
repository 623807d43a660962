// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import dev.couv.coro.Body;
import dev.couv.coro.TaskGroup;
import java.util.List;

/// Many coroutines on one loop that do the same.
final class Crowd {
  /// What the number-th of them does.
  interface Member<T> {
    T run(int number) throws Exception;
  }

  private Crowd() {}

  /// The results, in order; `limit` run at a time.
  @SuppressWarnings("try") // an interrupt is as good an exception as any
  static <T> List<T> all(int count, int limit, Member<T> member) throws Exception {
    try (TaskGroup<T> group = TaskGroup.<T>open().limit(limit)) {
      for (int i = 0; i < count; i++) {
        int number = i;
        Body<T> body = () -> member.run(number);
        group.spawn(body);
      }
      return group.all();
    }
  }
}
