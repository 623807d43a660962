// SPDX-License-Identifier: Apache-2.0
// Keeps programs running: ./couv run examples/supervisor.java FILE
//
// Each line of the file is "name: command"; a shell runs the command, which stays in the
// foreground.
// What ends is started again, later each time it ends soon. What it writes is shown with its name.
//
//   kill -HUP    reads the file again: starts what is new, ends what is gone, leaves the rest alone
//   kill -USR1   tells how everybody is
//   kill -TERM   or Ctrl-C: ends everybody, TERM first and KILL after five seconds, and then itself
import module dev.couv;

static final Duration GRACE = Duration.ofSeconds(5);

/// Who has run for that long is well, and is started again at once.
static final Duration WELL = Duration.ofSeconds(10);

final Map<String, Service> services = new TreeMap<>();

void main(String[] args) throws Exception {
  if (args.length != 1) {
    System.err.println("usage: supervisor.java FILE");
    System.exit(2);
  }
  var file = Path.of(args[0]);
  try (var signals = Signal.watch(Signal.HUP, Signal.USR1, Signal.TERM, Signal.INT)) {
    try {
      follow(read(file));
    } catch (IOException | IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(1);
    }
    IO.println("supervisor " + ProcessHandle.current().pid() + " keeps " + services.keySet());
    while (true) {
      var signal = signals.next();
      switch (signal) {
        case HUP -> reload(file);
        case USR1 -> services.values().forEach(service -> IO.println(service.status()));
        default -> {
          IO.println("ending: " + signal);
          follow(Map.of());
          return;
        }
      }
    }
  }
}

/// A file that makes no sense changes nothing.
void reload(Path file) throws Exception {
  try {
    follow(read(file));
    IO.println("read again, keeps " + services.keySet());
  } catch (IOException | IllegalArgumentException wrong) {
    IO.println("nothing is changed: " + wrong.getMessage());
  }
}

/// The commands by name.
///
/// @throws IllegalArgumentException if a line is none, and says which
Map<String, String> read(Path file) throws IOException {
  var commands = new TreeMap<String, String>();
  int number = 0;
  for (var line : Fs.readString(file).split("\n")) {
    number++;
    if (line.isBlank() || line.startsWith("#")) continue;
    var parts = line.split(":", 2);
    var name = parts[0].strip();
    if (parts.length < 2 || name.isEmpty() || parts[1].isBlank()) {
      throw new IllegalArgumentException(file + ":" + number + ": expected \"name: command\"");
    }
    if (commands.put(name, parts[1].strip()) != null) {
      throw new IllegalArgumentException(file + ":" + number + ": a second " + name);
    }
  }
  return commands;
}

/// Keeps those and no others. All that have to end do so at once, and have ended when this returns.
void follow(Map<String, String> commands) throws Exception {
  var ending = new ArrayList<>(services.values());
  ending.removeIf(service -> service.command.equals(commands.get(service.name)));
  for (var service : ending) {
    service.keeper.cancel();
    services.remove(service.name);
  }
  for (var service : ending) Await.settle(service.keeper);
  commands.forEach(
      (name, command) -> services.computeIfAbsent(name, _ -> new Service(name, command)));
}

/// A program that is kept running, by a coroutine of its own: cancelling that ends it.
class Service {
  final String name;
  final String command;
  final Coroutine<Void> keeper;
  String state = "starts";
  long since = Time.nanos();
  int starts;

  Service(String name, String command) {
    this.name = name;
    this.command = command;
    this.keeper = Coroutine.spawn(this::keep).named("keeper of " + name);
  }

  void keep() throws Exception {
    for (int hurried = 0; ; hurried++) {
      String end;
      try {
        end = runOnce();
      } catch (IOException failed) {
        end = "could not be started: " + failed.getMessage();
      }
      if (Time.nanos() - since >= WELL.toNanos()) hurried = 0;
      var pause = Duration.ofMillis(100L << Math.min(hurried, 7));
      become(end + ", again in " + pause.toMillis() + " ms");
      Time.sleep(pause);
    }
  }

  /// From its start to its end, and to that of all that it wrote: how it was.
  String runOnce() throws Exception {
    starts++;
    since = Time.nanos();
    var shell = Command.of("sh", "-c", command).stdin(Stdio.discard()).detached(true);
    try (var child = shell.stdout(Stdio.pipe()).stderr(Stdio.pipe()).start();
        var output = Scope.open()) {
      become("runs as " + child.pid());
      output.spawn(() -> show(child.stdout()));
      output.spawn(() -> show(child.stderr()));
      try {
        child.exit();
      } finally {
        Coroutine.protect(
            () -> {
              end(child);
              // Somebody who left the group may hold the pipes for ever.
              output.cancelAfter(Duration.ofSeconds(1));
              output.join();
              return null;
            });
      }
      return switch (child.exit()) {
        case Exit.Code code -> "ended with " + code.value();
        case Exit.Signalled by -> "ended by " + by.signal();
      };
    }
  }

  /// With all that it started.
  void end(Child child) throws Exception {
    if (child.end(GRACE).equals(new Exit.Signalled(Signal.KILL))) say("did not heed TERM");
  }

  void show(ByteStream output) throws IOException {
    var lines = output.lines().limit(1 << 16);
    while (true) {
      try {
        var line = lines.next();
        if (line == null) return;
        say("| " + line);
      } catch (FrameTooLongException endless) {
        var part = ByteBuffer.allocate(1 << 16);
        lines.read(part);
        say("| " + StandardCharsets.UTF_8.decode(part.flip()) + " …");
      }
    }
  }

  void become(String newState) {
    state = newState;
    say(state);
  }

  void say(String text) {
    IO.println(name + " " + text);
  }

  String status() {
    var seconds = Duration.ofNanos(Time.nanos() - since).toSeconds();
    return "%s %s; start %d, %d s ago".formatted(name, state, starts, seconds);
  }
}
