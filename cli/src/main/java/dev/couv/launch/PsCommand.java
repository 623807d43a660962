// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.inspect.Attachment;
import dev.couv.inspect.Link;
import dev.couv.inspect.Program;
import dev.couv.inspect.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/// `couv ps`: the programs on Couv that the user may look into.
@Command(
    name = "ps",
    header = "Lists the running programs on Couv.",
    description = {
      "",
      "Those that the user may look into. They are found without their noticing; loops and"
          + " coroutines are then asked of those whose JVM does not write a warning about it"
          + " (\"couv run\" sees to that). A dash stands for what was not asked.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class PsCommand implements Callable<Integer> {
  @Option(
      names = "--ask",
      description =
          "Asks all of them, although a JVM that was not told otherwise writes a warning.")
  private boolean ask;

  /// For picocli.
  PsCommand() {}

  @Override
  public Integer call() {
    String format = "%7s  %5s  %10s  %-14s  %9s  %s%n";
    System.out.printf(format, "PID", "LOOPS", "COROUTINES", "ENGINE", "UPTIME", "MAIN");
    List<Program> programs = Program.all();
    if (programs.isEmpty()) {
      System.err.println("couv: nothing on Couv is running that you may look into");
    }
    for (Program program : programs) {
      String[] facts = program.silent() || ask ? facts(program) : new String[] {"-", "-", "-"};
      System.out.printf(
          format,
          program.pid(),
          facts[0],
          facts[1],
          facts[2],
          words(program.uptime()),
          program.title());
    }
    return ExitCode.OK;
  }

  private static String[] facts(Program program) {
    try (Link link = Attachment.open(program)) {
      String[] facts = link.ask("count").split("\t", -1);
      return facts.length == 3 ? facts : new String[] {"?", "?", "?"};
    } catch (Refusal | IOException gone) {
      return new String[] {"?", "?", "?"};
    }
  }

  static String words(Duration time) {
    long seconds = time.toSeconds();
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3600) {
      return "%dm %02ds".formatted(seconds / 60, seconds % 60);
    }
    return seconds < 86_400
        ? "%dh %02dm".formatted(seconds / 3600, seconds / 60 % 60)
        : "%dd %02dh".formatted(seconds / 86_400, seconds / 3600 % 24);
  }
}
