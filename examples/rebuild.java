// SPDX-License-Identifier: Apache-2.0
// Runs a command, and again whenever a file changes: a build watcher.
//
//   ./couv run examples/rebuild.java DIRECTORY COMMAND [ARGUMENT…]
//
// Changes within a tenth of a second are one. What still runs when the next change comes is ended
// first, with all that it started.
import module dev.couv;

void main(String[] arguments) throws Exception {
  if (arguments.length < 2) {
    System.err.println("usage: rebuild.java DIRECTORY COMMAND [ARGUMENT…]");
    return;
  }
  var dir = Path.of(arguments[0]);
  var command = List.of(arguments).subList(1, arguments.length);
  var options = WatchOptions.DEFAULT.withRecursive(true).withDebounce(Duration.ofMillis(100));
  try (var watch = Watch.path(dir, options)) {
    while (true) {
      try (var child = start(command)) {
        var first = Await.select(child, watch);
        if (first.source() == child) {
          report(child.await());
          tell(watch.next());
        } else {
          child.end(Duration.ofSeconds(1));
          tell((PathChange) first.value());
        }
      }
    }
  }
}

Child start(List<String> command) throws Exception {
  IO.println("$ " + String.join(" ", command));
  return Command.of(command).stdin(Stdio.discard()).detached(true).start();
}

void report(Exit exit) {
  IO.println(
      switch (exit) {
        case Exit.Code code -> code.value() == 0 ? "ok" : "failed with " + code.value();
        case Exit.Signalled by -> "ended by " + by.signal();
      });
}

void tell(PathChange change) {
  IO.println(change.kind().name().toLowerCase(Locale.ROOT) + ": " + change.path());
}
