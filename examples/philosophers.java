// SPDX-License-Identifier: Apache-2.0
// Dining philosophers, first with good manners and then without: ./couv run
// examples/philosophers.java
// The second table starves. Couv finds that out, and tells who waits for what.
import module dev.couv;

static final List<String> NAMES = List.of("Hypatia", "Kant", "Laozi", "Simone", "Zeno");

void main() throws Exception {
  IO.println("Everybody takes the lower fork first:");
  dinner(true);

  IO.println("Everybody takes the left fork first:");
  dinner(false);
}

void dinner(boolean polite) throws Exception {
  var forks = NAMES.stream().map(name -> Mutex.of("the fork left of " + name)).toList();
  try (var table = Scope.open()) {
    for (int seat = 0; seat < NAMES.size(); seat++) {
      var name = NAMES.get(seat);
      int left = seat;
      int right = (seat + 1) % NAMES.size();
      var first = forks.get(polite ? Math.min(left, right) : left);
      var second = forks.get(polite ? Math.max(left, right) : right);
      table.spawn(() -> eat(name, first, second)).named(name);
    }
  }
  IO.println("  they have all eaten");
}

void eat(String name, Mutex first, Mutex second) throws Exception {
  try (var one = first.hold()) {
    Coroutine.pause(); // a thought, with a fork in the hand
    try (var other = second.hold()) {
      IO.println("  " + name + " eats");
      Coroutine.pause();
    }
  }
}
