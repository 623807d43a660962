// SPDX-License-Identifier: Apache-2.0
// Runs shell commands, some at a time, each with a time limit: a job runner.
//
//   ./couv run examples/jobs.java [-j JOBS] [-t SECONDS] [COMMAND…]
//
// TERM first; what does not heed it within a second is killed, with all that it started. Ctrl-C
// ends the running jobs in the same way, and starts no more. Exits with 1 if a job failed.
import module dev.couv;

int most = 2;
Duration limit = Duration.ofSeconds(2);
boolean ending;

void main(String[] arguments) throws Exception {
  var commands = new ArrayDeque<>(List.of(arguments));
  while (commands.size() > 1 && commands.peek().matches("-[jt]")) {
    if (commands.poll().equals("-j")) most = Integer.parseInt(commands.poll());
    else limit = Duration.ofSeconds(Long.parseLong(commands.poll()));
  }
  if (commands.isEmpty()) {
    commands.addAll(List.of("echo hello", "sleep 0.2; echo done", "exit 3", "sleep 100"));
  }

  var jobs = new ArrayList<Coroutine<Boolean>>();
  var runners = new ArrayList<Coroutine<Void>>();
  try (var interrupt = Signal.watch(Signal.INT)) {
    for (int i = 0; i < most; i++) {
      runners.add(
          Coroutine.spawn(
              () -> {
                while (!commands.isEmpty() && !ending) {
                  var command = commands.poll();
                  var job = Coroutine.spawn(() -> run(command, interrupt));
                  jobs.add(job);
                  job.await();
                }
              }));
    }
    for (var runner : runners) runner.await();
  }

  int failed = 0;
  for (var job : jobs) failed += job.await() ? 0 : 1;
  IO.println(jobs.size() + " jobs, " + failed + " failed");
  if (failed > 0) System.exit(1);
}

boolean run(String command, SignalWatch interrupt) throws Exception {
  long start = System.nanoTime();
  var shell =
      Command.of("sh", "-c", command).stdin(Stdio.discard()).stdout(Stdio.pipe()).detached(true);
  try (var child = shell.start();
      var deadline = Time.after(limit)) {
    var output =
        Coroutine.spawn(
            () -> {
              for (var line : child.stdout().lines()) IO.println("[" + command + "] " + line);
            });
    var first = Await.select(child, deadline, interrupt);
    ending |= first.source() == interrupt;
    if (first.source() != child) child.end(Duration.ofSeconds(1));
    output.await();
    var exit = child.await();
    long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
    IO.println(
        "["
            + command
            + "] "
            + switch (exit) {
              case Exit.Code code when code.value() == 0 -> "ok";
              case Exit.Code code -> "failed with " + code.value();
              case Exit.Signalled by ->
                  (first.source() == deadline ? "too slow" : "ended") + ", " + by.signal();
            }
            + " after "
            + (millis < 1000 ? millis + " ms" : millis / 1000 + " s"));
    return exit.isSuccess();
  }
}
