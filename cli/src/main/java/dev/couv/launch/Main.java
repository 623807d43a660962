// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command `couv`. The shell script of that name finds a JDK, builds what is missing and starts
/// this.
///
/// Exit codes: the script's own; 1 if it failed or did not compile, or if something is wrong with
/// this machine; 2 for a command line that makes no sense; 128 and the signal's number after a
/// signal.
@Command(
    name = "couv",
    description = "Coroutines on libuv for Java.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RunCommand.class,
      ReplCommand.class,
      NewCommand.class,
      DemoCommand.class,
      PsCommand.class,
      DumpCommand.class,
      TopCommand.class,
      InspectCommand.class,
      DoctorCommand.class,
      CompletionCommand.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
public final class Main implements Runnable {
  /// Not for users: the shell script runs it once, to prepare a fast start.
  private static final String TRAINING = "train";

  @Spec private @Nullable CommandSpec spec;

  /// For picocli.
  Main() {}

  /// Ends the VM only with a failure: after a success threads that the script left may go on, as
  /// with plain `java`.
  public static void main(String[] args) throws IOException {
    int status = isPlainRun(args) ? runPlainly(args) : commandLine().execute(args);
    if (status != CommandLine.ExitCode.OK) {
      System.exit(status);
    }
  }

  /// `run` and a file: what matters most is started without picocli, whose own start takes as long
  /// as a small script.
  private static boolean isPlainRun(String[] args) {
    return args.length > 1
        && (args[0].equals("run") || args[0].equals(TRAINING))
        && !args[1].startsWith("-");
  }

  private static int runPlainly(String[] args) throws IOException {
    List<String> words = List.of(args).subList(1, args.length);
    return args[0].equals(TRAINING)
        ? RunCommand.train(words)
        : RunCommand.run(RunOptions.NONE, words);
  }

  static CommandLine commandLine() {
    CommandLine whole =
        new CommandLine(new Main())
            .setExpandAtFiles(false) // what follows the script's name is the script's
            .setStopAtPositional(true)
            .setParameterExceptionHandler((wrong, args) -> explain(wrong));
    whole
        .getSubcommands()
        .forEach((name, command) -> command.setStopAtPositional(name.equals("run")));
    return whole;
  }

  /// Without a command.
  @Override
  public void run() {
    throw new ParameterException(spec().commandLine(), "a command is missing");
  }

  private CommandSpec spec() {
    if (spec == null) {
      throw new AssertionError("picocli sets it");
    }
    return spec;
  }

  private static int explain(ParameterException wrong) {
    CommandLine at = wrong.getCommandLine();
    String message =
        wrong instanceof UnmatchedArgumentException unmatched
            ? unmatched(at, unmatched)
            : wrong.getMessage();
    at.getErr().println("couv: " + message);
    at.getErr().println("Try: " + at.getCommandSpec().qualifiedName() + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  private static String unmatched(CommandLine at, UnmatchedArgumentException wrong) {
    String word = wrong.getUnmatched().getFirst();
    if (word.startsWith("-")) {
      return "no such option: " + word;
    }
    return at.getParent() == null
        ? "no such command: " + word
        : at.getCommandName() + " takes no argument: " + word;
  }
}
