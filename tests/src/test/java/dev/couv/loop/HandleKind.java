// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// The handles of a coroutine that the tests use.
enum HandleKind {
  TIMER,
  IDLE,
  SIGNAL,
  ASYNC;

  /// Those that are rung are rung by that bell.
  HandleOperation make(String name, AsyncOperation.Bell bell) {
    return switch (this) {
      case TIMER -> new TimerOperation(name, 1);
      case IDLE -> new IdleOperation(name);
      case SIGNAL -> new SignalOperation(name);
      case ASYNC -> new AsyncOperation(name, bell);
    };
  }

  /// Another kind, which needs a handle of another type.
  HandleKind other() {
    return this == ASYNC ? TIMER : ASYNC;
  }

  /// Makes it fire, if it does not by itself.
  static void fire(Operation operation) {
    if (operation instanceof AsyncOperation async) {
      async.ring();
    } else if (operation instanceof SignalOperation) {
      SignalOperation.send();
    }
  }
}
