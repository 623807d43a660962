// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Deque;
import java.util.List;

/// Walks through transitions of a coroutine's slot by their numbers, and checks the states on the
/// way. Where the notes wait ("reseting"), the next operation starts at once beside the old one. Where they close a handle
/// whose wait is left (R4), or have it fire first (R3), it stays armed until the waiter turns away.
final class OperationWalk {
  private final TestLoop test;
  private final RequestKind requests;
  private final HandleKind handles;
  private final TestWaiter waiter;
  private final AsyncOperation.Bell bell = new AsyncOperation.Bell();

  private Operation current = new IdleOperation("nothing");
  private int started;
  private int told;

  /// It ended at once, by an event that had come before.
  private boolean atOnce;

  OperationWalk(TestLoop test, RequestKind requests, HandleKind handles) {
    this.test = test;
    this.requests = requests;
    this.handles = handles;
    this.waiter = new TestWaiter(test.loop());
  }

  /// Takes all steps.
  void take(Deque<String> steps) {
    while (!steps.isEmpty()) {
      take(steps.removeFirst(), steps);
    }
    test.turnUntilQuiet();
    assertEquals(List.of(), test.blocks());
    assertEquals(told, waiter.completions());
    assertFalse(test.loop().liveness().isAlive());
  }

  private void take(String step, Deque<String> next) {
    switch (step) {
      case "O1", "O3" -> start(requests.make(name(step)));
      case "O2", "O4", "O6", "O8" -> start(handles.make(name(step), bell));
      case "O5", "O7", "O9", "O10" -> start(follower(name(step), next));
      case "C1", "C5" -> complete();
      case "R1", "R2", "R4", "R5", "R6" -> leave();
      case "R3" -> {
        HandleKind.fire(current);
        leave();
      }
      case "Y1", "Y2" -> {
        waiter.turnAway();
        assertEquals(0, count("COMPLETED"));
      }
      case "C2", "C3", "C4" -> test.turnUntil(() -> count("CANCELED") == 0);
      case "C6" -> {
        int before = waiter.completions();
        test.turnUntil(() -> bell.onTheirWay() == 0);
        assertEquals(before, waiter.completions());
        assertEquals(1, count("COMPLETED"));
      }
      case "C7" -> {
        assertEquals(0, bell.onTheirWay(), "what was left is let go of");
        test.turnUntil(() -> count("CLOSING") == 0);
      }
      case "F1", "F2", "F3" -> test.turnUntil(() -> count("CLOSING") == 0);
      default -> throw new AssertionError(step);
    }
  }

  private String name(String step) {
    return step + "-" + ++started;
  }

  /// What follows an operation that has not left libuv yet. The steps that follow say what it is.
  private Operation follower(String name, Deque<String> next) {
    for (String step : next) {
      switch (step) {
        case "C3", "F2" -> {
          return requests.make(name);
        }
        case "C4", "F3" -> {
          return another(name);
        }
        case "R2", "R5" -> {
          return started % 2 == 0 ? requests.make(name) : another(name);
        }
        // The loop may turn before it is left: it must not end by itself.
        case "R6" -> {
          return new AsyncOperation(name);
        }
        default -> {}
      }
    }
    throw new AssertionError("nothing follows " + name);
  }

  private Operation another(String name) {
    return handles.other().make(name, new AsyncOperation.Bell());
  }

  private void start(Operation operation) {
    current = operation;
    atOnce = waiter.await(operation);
    if (!atOnce) {
      told++;
      assertEquals(1, count("AWAITING"));
      assertEquals(0, count("COMPLETED"));
    }
  }

  private void complete() {
    if (!atOnce) {
      if (waiter.completions() < told) {
        HandleKind.fire(current);
      }
      test.turnUntil(() -> waiter.completions() == told);
    }
    assertEquals(0, count("AWAITING"));
    assertEquals(1, count("COMPLETED"));
    if (current instanceof LookupOperation lookup) {
      lookup.free();
    }
  }

  private void leave() {
    int before = waiter.completions();
    if (atOnce) {
      current.surrender();
    } else {
      current.cancel();
      told--;
    }
    assertEquals(before, waiter.completions());
    assertEquals(0, count("AWAITING"));
    assertEquals(current instanceof HandleOperation ? 1 : 0, count("COMPLETED"));
  }

  private long count(String state) {
    return test.blocks().stream().filter(block -> block.contains(state)).count();
  }
}
