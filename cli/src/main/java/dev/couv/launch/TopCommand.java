// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.coro.Await;
import dev.couv.coro.Event;
import dev.couv.coro.Loop;
import dev.couv.inspect.Link;
import dev.couv.inspect.Program;
import dev.couv.signal.Signal;
import dev.couv.time.Time;
import dev.couv.tty.Terminal;
import dev.couv.tty.TerminalMode;
import dev.couv.tty.TerminalSize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `couv top`: a running program, live in the terminal.
@Command(
    name = "top",
    header =
        "Shows a running program live: who waits for what, handles, turns, lag, who is busiest.",
    description = {
      "",
      "q or Ctrl-C ends it. Where the output is no terminal it is written once.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class TopCommand implements Callable<Integer> {
  private static final String ENTER = "\033[?1049h\033[?25l";
  private static final String LEAVE = "\033[?25h\033[?1049l";
  private static final int UNLIMITED = 10_000;
  private static final int CTRL_C = 3;

  /// The samples of a whole second are there within this, or the machine is too busy.
  private static final Duration FIRST_SECOND = Duration.ofMillis(2500);

  private static final int TRIES = 10;

  @Mixin private LookingInside looking = new LookingInside();

  @Option(names = "--once", description = "Writes it once, and ends.")
  private boolean once;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "How often it is drawn anew.")
  private double seconds;

  /// For picocli.
  TopCommand() {}

  @Override
  public Integer call() throws Exception {
    return looking.into((program, link) -> Loop.run(() -> show(program, link)));
  }

  private int show(Program program, Link link) throws Exception {
    Terminal out = Terminal.stdout();
    if (once || !out.isTerminal() || !Terminal.stdin().isTerminal()) {
      String answer = ask(link);
      for (int tries = 0; tries < TRIES && !new TopFrame(program, answer).isComplete(); tries++) {
        Time.sleep(FIRST_SECOND.dividedBy(TRIES).multipliedBy(2));
        answer = ask(link);
      }
      out.write(String.join("\n", frame(program, answer, UNLIMITED, UNLIMITED)) + "\n");
      return ExitCode.OK;
    }
    String last;
    try {
      Terminal.stdin().mode(TerminalMode.RAW);
      out.write(ENTER);
      last = Await.race(() -> keys(), () -> signals(), () -> draw(program, link, out));
    } finally {
      out.write(LEAVE);
      Terminal.stdin().close();
    }
    if (!last.isEmpty()) {
      System.err.println("couv: " + last);
    }
    return ExitCode.OK;
  }

  /// Until one of those that end it.
  private static String keys() throws IOException {
    for (ByteBuffer keys; (keys = Terminal.stdin().read()) != null; ) {
      while (keys.hasRemaining()) {
        int key = keys.get();
        if (key == 'q' || key == 'Q' || key == CTRL_C) {
          return "";
        }
      }
    }
    return "";
  }

  private static String signals() throws Exception {
    Signal.await(Signal.INT, Signal.TERM, Signal.HUP);
    return "";
  }

  /// Until the program ends: then says so.
  private String draw(Program program, Link link, Terminal out) throws Exception {
    try (var resized = out.onResize()) {
      while (true) {
        String answer;
        try {
          answer = ask(link);
        } catch (IOException gone) {
          return "process " + program.pid() + " has ended";
        }
        TerminalSize size = out.size();
        StringBuilder text = new StringBuilder("\033[H");
        for (String line : frame(program, answer, size.columns(), size.rows())) {
          text.append(line).append("\033[K\r\n");
        }
        text.setLength(text.length() - 2); // the last line does not end, or all would move up
        out.write(text.append("\033[J").toString());
        await(resized);
      }
    }
  }

  private void await(Event<TerminalSize> resized) throws Exception {
    try {
      Time.timeout(
          Duration.ofMillis(Math.max(100, (long) (1000 * seconds))), () -> resized.await());
    } catch (TimeoutException nobodyHas) {
      return;
    }
  }

  private static String ask(Link link) throws Exception {
    String answer = Loop.offload(() -> link.ask("top"));
    if (answer.startsWith("!")) {
      throw new IOException(answer.substring(1));
    }
    return answer;
  }

  private static List<String> frame(Program program, String answer, int columns, int rows) {
    return new TopFrame(program, answer).lines(columns, rows);
  }
}
