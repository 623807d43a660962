// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Coroutine;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.info.Info;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.process.Child;
import dev.couv.process.Command;
import dev.couv.process.Dir;
import dev.couv.process.Env;
import dev.couv.process.Exit;
import dev.couv.process.Output;
import dev.couv.process.Priority;
import dev.couv.process.Stdio;
import dev.couv.signal.Signal;
import dev.couv.signal.SignalWatch;
import dev.couv.simulation.Program;
import dev.couv.simulation.Simulation;
import dev.couv.stream.ByteStream;
import dev.couv.time.Time;
import dev.couv.tty.Terminal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The same children, signals and variables in the host's world, where they are programs of the system, and in one in memory,
/// where bodies in Java do what those do: same results, same exceptions, same order.
@SuppressWarnings("try") // what is closed early is told
final class ProcessesInBothWorldsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(50);

  /// Scripts of the shell, and what does the same in memory.
  private static final Map<String, Program> SCRIPTS = new TreeMap<>();

  private static final String EXIT_7 = script("exit 7", _ -> 7);
  private static final String BOTH =
      script(
          "echo out; echo err >&2; exit 3",
          _ -> {
            Terminal.stdout().write("out\n");
            Terminal.stderr().write("err\n");
            return 3;
          });
  private static final String HEEDS =
      script(
          "trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done",
          _ -> {
            try (SignalWatch watch = Signal.watch(Signal.TERM)) {
              Terminal.stdout().write("ready\n");
              watch.next();
              return 7;
            }
          });
  private static final String DOES_NOT_HEED =
      script(
          "trap '' TERM; echo ready; while :; do sleep 0.01; done",
          _ -> {
            try (SignalWatch watch = Signal.watch(Signal.TERM)) {
              Terminal.stdout().write("ready\n");
              while (true) {
                watch.next();
              }
            }
          });
  private static final String TELLS =
      script(
          "trap 'echo hup' HUP; trap 'echo usr1' USR1; trap 'exit 7' TERM; echo ready; while :; do"
              + " sleep 0.01; done",
          _ -> {
            try (SignalWatch watch = Signal.watch(Signal.HUP, Signal.USR1, Signal.TERM)) {
              Terminal.stdout().write("ready\n");
              for (Signal came; (came = watch.next()) != Signal.TERM; ) {
                Terminal.stdout().write(came.toString().toLowerCase(Locale.ROOT) + "\n");
              }
              return 7;
            }
          });

  /// Ends when that process stands still; in memory it does so at once.
  private static final String UNTIL_STOPPED =
      script("until grep -q '^State:.T' /proc/$STOPPED/status; do sleep 0.01; done", _ -> 0);

  private static final String LEAVES_ONE =
      script(
          "sleep 1000 & echo left",
          _ -> {
            Command.of("sleep", "1000").start();
            Terminal.stdout().write("left\n");
            return 0;
          });
  private static final String NEVER_SILENT =
      script(
          "while :; do echo 1234567890; done",
          _ -> {
            while (true) {
              Terminal.stdout().write("1234567890\n");
            }
          });
  private static final String AT_THREE =
      script(
          "cat <&3 >&3",
          _ -> {
            try (LocalStream three = LocalStream.adopt(3)) {
              ByteStream.copy(three, three);
              return 0;
            }
          });
  private static final String VARIABLES =
      script(
          "echo \"$A:$B:${C-none}\"",
          _ -> {
            String c = Env.get("C");
            Terminal.stdout()
                .write(Env.get("A") + ":" + Env.get("B") + ":" + (c == null ? "none" : c) + "\n");
            return 0;
          });

  private static String script(String text, Program same) {
    SCRIPTS.put(text, same);
    return text;
  }

  private static void programs(Simulation sim) {
    sim.program("sh", arguments -> SCRIPTS.get(arguments.get(1)).run(List.of()));
    sim.program("true", _ -> 0);
    sim.program("false", _ -> 1);
    sim.program(
        "cat",
        _ -> {
          ByteStream.copy(Terminal.stdin(), Terminal.stdout());
          return 0;
        });
    sim.program(
        "sleep",
        arguments -> {
          Time.sleep(Duration.ofSeconds(Long.parseLong(arguments.getFirst())));
          return 0;
        });
    sim.program(
        "pwd",
        _ -> {
          Terminal.stdout().write(Dir.get() + "\n");
          return 0;
        });
    sim.program(
        "env",
        _ -> {
          for (Map.Entry<String, String> each : Env.all().entrySet()) {
            Terminal.stdout().write(each.getKey() + "=" + each.getValue() + "\n");
          }
          return 0;
        });
    sim.program(
        "printf",
        arguments -> {
          for (String each : arguments.subList(1, arguments.size())) {
            Terminal.stdout().write(each + "|\n");
          }
          return 0;
        });
  }

  @TempDir Path temporary;

  private void same(BothWorlds.Script script) throws Exception {
    BothWorlds.same(
        temporary,
        body ->
            Simulation.run(
                1,
                sim -> {
                  programs(sim);
                  sim.client("one", body);
                }),
        script);
  }

  private static Command sh(String script) {
    return Command.of("sh", "-c", script);
  }

  private static String text(ByteStream stream) throws Exception {
    return new String(stream.readAll(1000), UTF_8);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static String told(Output output) {
    return output.exit() + " " + output.stdoutText() + "/" + output.stderrText();
  }

  // ---- starting and ending

  @Test
  void endsAndWhatTheyTell() throws Exception {
    same(
        (_, told) -> {
          told.get("true", () -> Command.of("true").run());
          told.get("false", () -> Command.of("false").run());
          told.get("7", () -> sh(EXIT_7).run());
          told.get(
              "run with a pipe", () -> sh(BOTH).stdout(Stdio.pipe()).stderr(Stdio.pipe()).run());
          told.get("output", () -> told(sh(BOTH).output()));
          try (Child child = sh(EXIT_7).start()) {
            told.get("first", child::exit);
            told.get("again", child::exit);
            told.get("running", child::isRunning);
            told.get("kill", child::kill);
            told.get("signal", () -> child.signal(Signal.TERM));
            told.get("no pipe", child::stdout);
          }
        });
  }

  @Test
  void whatCannotBeStarted() throws Exception {
    same(
        (dir, told) -> {
          Fs.writeString(dir.resolve("plain"), "text");
          for (String name :
              List.of(
                  "not-there",
                  "./not-there",
                  "/no/such/program",
                  dir.resolve("plain").toString(),
                  dir.toString())) {
            told.get(name, () -> Command.of(name).run());
            told.get(name + " output", () -> Command.of(name).output());
          }
          told.get("from there", () -> Command.of("./plain").dir(dir).run());
          told.get("nowhere", () -> Command.of("true").dir(dir.resolve("nowhere")).run());
          told.get("in a file", () -> Command.of("true").dir(dir.resolve("plain")).run());
          told.get("no number", () -> Command.of("true").stdin(Stdio.fd(1000)).run());
          told.get("path", () -> Command.of("true").run());
        });
  }

  @Test
  void argumentsVariablesAndTheDirectory() throws Exception {
    same(
        (dir, told) -> {
          told.get(
              "arguments",
              () -> told(Command.of("printf", "%s|\\n", "a b", "$HOME", "", "*", "grün").output()));
          told.get("dir", () -> told(Command.of("pwd").dir(dir).output()));
          Command given = sh(VARIABLES).env("A", "1").env("B", "two = 2");
          told.get("variables", () -> told(given.output()));
          told.get("one more", () -> told(given.env("C", "").output()));
          told.get("changed", () -> told(given.env("A", "3").output()));
          Env.set("COUV_BOTH", "inherited");
          told.get(
              "inherited",
              () ->
                  Command.of("env")
                      .output()
                      .stdoutText()
                      .lines()
                      .anyMatch("COUV_BOTH=inherited"::equals));
          Env.unset("COUV_BOTH");
          told.get(
              "not any more", () -> Command.of("env").output().stdoutText().contains("COUV_BOTH"));
          told.get("all", () -> told(Command.of("env").env(Map.of("ONLY", "this")).output()));
          Path before = Dir.get();
          Dir.set(dir);
          try {
            told.get("of this process", () -> told(Command.of("pwd").output()));
          } finally {
            Dir.set(before);
          }
        });
  }

  @Test
  void variablesAndDirectoriesOfThisProcess() throws Exception {
    same(
        (dir, told) -> {
          told.get("absent", () -> Env.get("COUV_BOTH"));
          told.did("set", () -> Env.set("COUV_BOTH", "grün = 1"));
          told.get("there", () -> Env.get("COUV_BOTH"));
          told.get("among all", () -> Env.all().get("COUV_BOTH"));
          told.did("unset", () -> Env.unset("COUV_BOTH"));
          told.did("unset again", () -> Env.unset("COUV_BOTH"));
          told.get("gone", () -> Env.get("COUV_BOTH"));
          told.did("empty", () -> Env.set("", "x"));
          told.did("wrong", () -> Env.set("A=B", "x"));
          Path before = Dir.get();
          Fs.writeString(dir.resolve("plain"), "text");
          try {
            told.did("cd", () -> Dir.set(dir));
            told.get("there", Dir::get);
            told.get("relative", () -> Fs.readString(Path.of("plain")));
            told.did("missing", () -> Dir.set(Path.of("missing")));
            told.did("a file", () -> Dir.set(Path.of("plain")));
            told.get("still", Dir::get);
          } finally {
            Dir.set(before);
          }
        });
  }

  @Test
  void randomNumbers() throws Exception {
    same(
        (_, told) -> {
          ByteBuffer some = ByteBuffer.allocate(64);
          told.did("heap", () -> Info.random(some));
          told.get("filled", () -> some);
          ByteBuffer others = ByteBuffer.allocateDirect(64);
          told.did("direct", () -> Info.random(others));
          told.get("the same", () -> some.flip().equals(others.flip()));
          told.did("none", () -> Info.random(ByteBuffer.allocate(0)));
          told.did("at once", () -> Info.randomNow(some.clear()));
          told.get("filled", () -> some);
          told.did("nowhere", () -> Info.random(ByteBuffer.allocate(8).asReadOnlyBuffer()));
          told.get("by chance", () -> Info.chance().nextInt(1));
        });
  }

  // ---- streams

  @Test
  void pipes() throws Exception {
    same(
        (_, told) -> {
          try (Child cat = Command.of("cat").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start()) {
            told.get("name", () -> cat.stdin().toString() + ", " + cat.stdout());
            cat.stdin().write("one\n");
            told.get("echo", () -> cat.stdout().lines().next());
            told.did("shutdown", () -> cat.stdin().shutdown());
            told.get("open", () -> cat.stdin().isOpen());
            told.did("write", () -> cat.stdin().write("two\n"));
            told.get("end", () -> cat.stdout().read());
            told.get("exit", cat::exit);
            told.get("end again", () -> cat.stdout().read());
          }
          try (Child gone = Command.of("true").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start()) {
            told.get("exit", gone::exit);
            told.did("write", () -> gone.stdin().write("nobody\n"));
            told.get("rest", () -> text(gone.stdout()));
          }
          told.get("fed", () -> told(Command.of("cat").output(bytes("x".repeat(100)))));
          byte[] much = new byte[1 << 20];
          told.get("much", () -> Command.of("cat").output(ByteBuffer.wrap(much)).stdout().length);
          told.get("not wanted", () -> told(Command.of("true").output(ByteBuffer.wrap(much))));
          told.get("too much", () -> sh(NEVER_SILENT).limit(1000).output());
          told.get(
              "nothing to read", () -> told(Command.of("cat").stdin(Stdio.discard()).output()));
          told.get("nothing kept", () -> told(sh(BOTH).stdout(Stdio.discard()).output()));
        });
  }

  @Test
  void fromChildToChild() throws Exception {
    same(
        (_, told) -> {
          try (Child first = sh(BOTH).stdout(Stdio.pipe()).stderr(Stdio.discard()).start();
              Child second =
                  Command.of("cat")
                      .stdin(Stdio.stream(first.stdout()))
                      .stdout(Stdio.pipe())
                      .start()) {
            first.stdout().close();
            told.get("through both", () -> text(second.stdout()));
            told.get("first", first::exit);
            told.get("second", second::exit);
          }
          try (Pair pair = LocalStream.pair()) {
            Command cat =
                Command.of("cat")
                    .stdin(Stdio.stream(pair.second()))
                    .stdout(Stdio.stream(pair.second()));
            try (Child child = cat.start()) {
              pair.second().close();
              pair.first().write("by a socket");
              pair.first().shutdown();
              told.get("back", () -> text(pair.first()));
              told.get("exit", child::exit);
            }
          }
          try (TcpListener listener =
                  Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
              TcpStream client = Tcp.connect(listener.local());
              TcpStream server = listener.accept();
              Child child = sh(BOTH).stdout(Stdio.stream(server)).stderr(Stdio.discard()).start()) {
            server.close();
            told.get("by TCP", () -> text(client));
            told.get("exit", child::exit);
          }
          try (Child child = sh(AT_THREE).stdio(3, Stdio.share()).start()) {
            LocalStream three = (LocalStream) child.stream(3);
            three.write("at three");
            three.shutdown();
            told.get("shared", () -> text(three));
            told.get("exit", child::exit);
          }
        });
  }

  @Test
  void files() throws Exception {
    same(
        (dir, told) -> {
          Path log = dir.resolve("log");
          try (OpenFile file = Fs.open(log, READ, WRITE, CREATE)) {
            file.write(bytes("parent "));
            told.get("run", () -> sh(BOTH).stdout(Stdio.file(file)).stderr(Stdio.file(file)).run());
            file.write(bytes("parent again\n"));
            told.get("all", () -> Fs.readString(log));
          }
          try (OpenFile file = Fs.open(log, APPEND)) {
            told.get(
                "appended", () -> sh(BOTH).stdout(Stdio.file(file)).stderr(Stdio.discard()).run());
            told.get("all", () -> Fs.readString(log));
          }
          try (OpenFile file = Fs.open(log, READ)) {
            ByteBuffer some = ByteBuffer.allocate(7);
            file.read(some);
            told.get("the rest", () -> told(Command.of("cat").stdin(Stdio.file(file)).output()));
            told.get("at its end", () -> file.read(ByteBuffer.allocate(7)));
          }
          OpenFile closed = Fs.open(log, READ);
          closed.close();
          told.get("closed", () -> Command.of("cat").stdin(Stdio.file(closed)).run());
        });
  }

  // ---- signals

  private static Child ready(Command command) throws Exception {
    Child child = command.stdout(Stdio.pipe()).start();
    assertEquals("ready", child.stdout().lines().next());
    return child;
  }

  @Test
  void signalsEndChildren() throws Exception {
    same(
        (_, told) -> {
          for (Signal signal : List.of(Signal.KILL, Signal.TERM, Signal.INT, Signal.USR1)) {
            try (Child child = Command.of("sleep", "1000").start()) {
              told.get("send", () -> child.signal(signal));
              told.get("exit", child::exit);
              told.get("again", () -> child.signal(signal));
            }
          }
          try (Child child = Command.of("sleep", "1000").start()) {
            told.did("by number", () -> Signal.send(child.pid(), Signal.HUP));
            told.get("exit", child::exit);
            told.did("it is gone", () -> Signal.send(child.pid(), Signal.HUP));
          }
          try (Child child = Command.of("sleep", "1000").start()) {
            told.get("harmless", () -> child.signal(Signal.WINCH));
            told.get("stop", () -> child.signal(Signal.STOP));
            told.get("waits", () -> child.signal(Signal.TERM));
            told.get("running", child::isRunning);
            told.get("go on", () -> child.signal(Signal.CONT));
            told.get("exit", child::exit);
          }
          try (Child child = Command.of("sleep", "1000").start()) {
            told.get("stop", () -> child.signal(Signal.STOP));
            told.get("killed all the same", child::kill);
            told.get("exit", child::exit);
          }
          try (Child child = ready(sh(HEEDS))) {
            told.get("heeds", () -> child.end(LONG));
            told.get("again", () -> child.end(LONG));
          }
          try (Child child = ready(sh(DOES_NOT_HEED))) {
            told.get("does not", () -> child.end(SHORT));
          }
        });
  }

  private static void stop(Child child) throws Exception {
    child.signal(Signal.STOP);
    sh(UNTIL_STOPPED).env("STOPPED", Long.toString(child.pid())).run();
  }

  @Test
  void signalsWaitForWhomeverStandsStill() throws Exception {
    same(
        (_, told) -> {
          try (Child child = ready(sh(TELLS))) {
            stop(child);
            told.get("one", () -> child.signal(Signal.USR1));
            told.get("the same", () -> child.signal(Signal.USR1));
            told.get("another", () -> child.signal(Signal.HUP));
            told.get("go on", () -> child.signal(Signal.CONT));
            var lines = child.stdout().lines();
            told.get("first", lines::next);
            told.get("second", lines::next);
            told.get("end", () -> child.end(LONG));
            told.get("no more", lines::next);
          }
          try (Child child = Command.of("sleep", "1000").start()) {
            stop(child);
            told.get("once more", () -> child.signal(Signal.TSTP));
            told.get("go on", () -> child.signal(Signal.CONT));
            told.get("end", () -> child.signal(Signal.TERM));
            told.get("exit", child::exit);
          }
        });
  }

  @Test
  void cancellingAndClosing() throws Exception {
    same(
        (_, told) -> {
          Coroutine<Exit> running = Coroutine.spawn(() -> Command.of("sleep", "1000").run());
          Coroutine.pause();
          running.cancel();
          told.get("cancelled", running::await);
          Child child = Command.of("sleep", "1000").stdin(Stdio.pipe()).start();
          Coroutine<Exit> waiting = Coroutine.spawn(child::exit);
          Coroutine.pause();
          child.close();
          told.get("closed meanwhile", waiting::await);
          told.get("closed", child::exit);
          told.get("its pipe", () -> child.stdin().isOpen());
          try (Child heeding = ready(sh(DOES_NOT_HEED))) {
            Coroutine<Exit> ending = Coroutine.spawn(() -> heeding.end(LONG));
            Coroutine.pause();
            ending.cancel();
            told.get("end, cancelled", ending::await);
            told.get("still there", heeding::isRunning);
          }
          try (Child awaited = sh(EXIT_7).start()) {
            Coroutine<Exit> one = Coroutine.spawn(awaited::exit);
            Coroutine<Exit> other = Coroutine.spawn(awaited::exit);
            told.get("one", one::await);
            told.get("other", other::await);
          }
        });
  }

  @Test
  void groups() throws Exception {
    same(
        (_, told) -> {
          try (Child child = Command.of("sleep", "1000").start()) {
            told.get("no group", child::killGroup);
          }
          try (Child leader = Command.of("sleep", "1000").detached(true).start()) {
            told.get("group", () -> leader.signalGroup(Signal.TERM));
            told.get("exit", leader::exit);
            told.get("none left", leader::killGroup);
          }
          try (Child leader = sh(LEAVES_ONE).stdout(Stdio.pipe()).detached(true).start()) {
            told.get("line", () -> leader.stdout().lines().next());
            told.get("exit", leader::exit);
            told.get("kill", leader::kill);
            told.get("one is left", leader::killGroup);
            told.get("and lets go of the pipe", () -> leader.stdout().read());
            while (leader.signalGroup(Signal.CONT)) {
              Coroutine.pause(); // the kernel takes a moment
            }
            told.get("none left", leader::killGroup);
          }
          try (Child leader = sh(LEAVES_ONE).stdout(Stdio.pipe()).detached(true).start()) {
            told.get("line", () -> leader.stdout().lines().next());
            told.get("exit", leader::exit); // else it would be in time for the signal, or not
            told.get("ends all", () -> leader.end(LONG));
            told.get("end of the pipe", () -> leader.stdout().read());
          }
          Child left = Command.of("sleep", "1000").detached(true).start();
          left.close();
          told.did("goes on", () -> Signal.send(left.pid(), Signal.WINCH));
          Signal.send(left.pid(), Signal.KILL);
        });
  }

  @Test
  void signalsOfThisProcess() throws Exception {
    same(
        (_, told) -> {
          try (SignalWatch watch = Signal.watch(Signal.USR1, Signal.WINCH)) {
            told.did("send", () -> Signal.send(Info.pid(), Signal.USR1));
            told.get("came", watch::next);
            told.did("other", () -> Signal.send(Info.pid(), Signal.WINCH));
            told.get("came", watch::next);
            told.get("watch", watch::toString);
          }
          Coroutine<Signal> waiting = Coroutine.spawn(() -> Signal.await(Signal.USR1));
          Coroutine.pause();
          Signal.send(Info.pid(), Signal.USR1);
          told.get("awaited", waiting::await);
          told.did("nobody", () -> Signal.send(Integer.MAX_VALUE, Signal.TERM));
          told.did("no process", () -> Signal.send(0, Signal.TERM));
          for (Signal signal : Signal.values()) {
            told.get(signal + " of", () -> signal.number() + " " + Signal.of(signal.number()));
            told.did("catch " + signal, () -> Signal.watch(signal).close());
          }
          told.get("of 65", () -> Signal.of(65));
        });
  }

  @Test
  void priorities() throws Exception {
    same(
        (_, told) -> {
          try (Child child = Command.of("sleep", "1000").start()) {
            told.get("inherited", () -> Priority.get(child.pid()).equals(Priority.get()));
            told.did("set", () -> Priority.set(child.pid(), 19));
            told.get("get", () -> Priority.get(child.pid()));
            child.kill();
            child.exit();
            told.get("gone", () -> Priority.get(child.pid()));
            told.did("set", () -> Priority.set(child.pid(), 19));
          }
        });
  }
}
