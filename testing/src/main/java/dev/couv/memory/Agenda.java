// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

/// When things happen in a world in memory.
public interface Agenda {
  /// The world's time in nanoseconds; no machine's clock need agree with it.
  long now();

  /// Has the event happen that much later, to that machine. It calls no user code.
  void later(long nanos, Node where, Runnable event);

  /// Has it happen next, when whoever runs now has let go.
  default void soon(Node where, Runnable event) {
    later(0, where, event);
  }
}
