// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/// `couv demo`: lists programs that show something, and runs one of them.
@Command(
    name = "demo",
    header = "Lists programs that show what Couv does, and runs one.",
    customSynopsis = "couv demo [-h] [NAME [ARGUMENT...]]",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class DemoCommand implements Callable<Integer> {
  /// Where the examples are; the shell script tells.
  private static final String PLACE = "couv.examples";

  // Not hidden: completion leaves out what is.
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "NAME",
      description = "One of the list, which is shown without it.",
      completionCandidates = Demo.Names.class)
  private @Nullable String name;

  @Parameters(index = "1..*", arity = "0..*", hidden = true)
  private List<String> arguments = new ArrayList<>();

  /// For picocli.
  DemoCommand() {}

  @Override
  public Integer call() throws IOException {
    if (name == null) {
      for (Demo demo : Demo.ALL) {
        System.out.printf("%-13s %s%n", demo.name(), demo.shows());
      }
      System.out.println();
      System.out.println("couv demo NAME runs one; its text is examples/NAME.java.");
      return ExitCode.OK;
    }
    return run(name);
  }

  private int run(String wanted) throws IOException {
    for (Demo demo : Demo.ALL) {
      if (demo.name().equals(wanted)) {
        return run(demo);
      }
    }
    System.err.println("couv: no such demo: " + wanted);
    System.err.println("Try: couv demo");
    return ExitCode.USAGE;
  }

  private int run(Demo demo) throws IOException {
    Path file = Path.of(System.getProperty(PLACE, "examples"), demo.name() + ".java");
    if (!Files.exists(file)) {
      System.err.println("couv: the examples are not here, no such file: " + file);
      return ExitCode.SOFTWARE;
    }
    List<String> words = new ArrayList<>(List.of(file.toString(), "--"));
    words.addAll(arguments.isEmpty() ? demo.arguments() : arguments);
    return RunCommand.run(RunOptions.NONE, words);
  }
}
