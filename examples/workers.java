// SPDX-License-Identifier: Apache-2.0
// A tree of workers whose supervisors start them again when they fail: ./couv run
// examples/workers.java
import module dev.couv;

final class TooManyFailures extends Exception {
  TooManyFailures(String name, Throwable last) {
    super(name + " fails too often", last);
  }
}

int orders;

void main() throws Exception {
  try {
    supervise("kitchen", 3, this::kitchen);
  } catch (TooManyFailures given) {
    IO.println("closed: " + given.getMessage() + " (" + given.getCause().getMessage() + ")");
  }
}

/// Two cooks, each supervised. When one of them is given up, so is the kitchen; it opens again.
void kitchen() throws Exception {
  IO.println("kitchen opens");
  try (var cooks = Scope.open()) {
    cooks.onEnd(() -> IO.println("kitchen is clean"));
    cooks.spawn(() -> supervise("ada", 2, () -> cook("ada", 3)));
    cooks.spawn(() -> supervise("bob", 2, () -> cook("bob", 1000)));
    cooks.join();
  }
}

/// Every so many orders something burns.
void cook(String name, int luck) throws Exception {
  while (true) {
    Time.sleep(Duration.ofMillis(10));
    if (++orders % luck == 0) throw new IllegalStateException(name + " burnt order " + orders);
  }
}

/// Runs the body until it ends by itself; after a failure again, a little later each time.
void supervise(String name, int restarts, Action body) throws Exception {
  for (int failures = 1; ; failures++) {
    try (var scope = Scope.open()) {
      scope.spawn(body).named(name);
      scope.join();
      return;
    } catch (Exception failure) {
      if (failures > restarts) throw new TooManyFailures(name, failure);
      IO.println(name + " starts again: " + failure.getMessage());
      Time.sleep(Duration.ofMillis(5).multipliedBy(failures));
    }
  }
}
