// Child processes: output, a conversation, exits by code and by signal.
// prints:
// hello from sh
// code 3
// HELLO
// killed by TERM
import module dev.couv;

void main() throws Exception {
  IO.println(Command.of("sh", "-c", "echo hello from sh").output().stdoutText().strip());

  IO.println(
      switch (Command.of("sh", "-c", "exit 3").run()) {
        case Exit.Code code -> "code " + code.value();
        case Exit.Signalled by -> "killed by " + by.signal();
      });

  var shout = Command.of("tr", "a-z", "A-Z").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start();
  shout.stdin().write(ByteBuffer.wrap("hello\n".getBytes()));
  shout.stdin().close();
  for (var line : shout.stdout().lines()) IO.println(line);
  shout.await();

  var sleeper = Command.of("sleep", "1000").start();
  sleeper.signal(Signal.TERM);
  if (sleeper.await() instanceof Exit.Signalled by) IO.println("killed by " + by.signal());
}
