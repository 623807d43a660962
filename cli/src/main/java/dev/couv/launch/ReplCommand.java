// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.depend.Coordinates;
import dev.couv.depend.Libraries;
import dev.couv.depend.UnresolvedException;
import dev.couv.repl.Repl;
import dev.couv.repl.Surroundings;
import dev.couv.uv.UvLibraryError;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/// `couv repl`: a prompt for Java, on a live loop.
@Command(
    name = "repl",
    header = "A prompt for Java whose snippets are coroutines of a live loop.",
    description = {
      "",
      "Everything of dev.couv is imported. From a pipe it runs what it reads, and the first failure"
          + " ends it with 1.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class ReplCommand implements Callable<Integer> {
  @Option(
      names = "--dep",
      paramLabel = "GROUP:ARTIFACT:VERSION",
      description = "A library to have at hand.")
  private List<String> libraries = new ArrayList<>();

  @Option(names = "--offline", description = "Take libraries from this machine only.")
  private boolean offline;

  /// For picocli.
  ReplCommand() {}

  @Override
  public Integer call() throws Exception {
    try {
      List<Path> files = new Libraries(ScriptCache.place(), offline).find(wanted());
      Surroundings surroundings =
          new Surroundings(modulePath(), ScriptModule.names(), files, new LibraryLoader(files));
      return Repl.run(surroundings, "Couv " + Version.text()) ? ExitCode.OK : ExitCode.SOFTWARE;
    } catch (BadScript bad) {
      System.err.println("couv: " + bad.getMessage());
      return ExitCode.USAGE;
    } catch (UnresolvedException | UvLibraryError missing) {
      System.err.println("couv: " + missing.getMessage());
      return ExitCode.SOFTWARE;
    }
  }

  private List<Coordinates> wanted() throws BadScript {
    List<Coordinates> wanted = new ArrayList<>();
    for (String each : libraries) {
      wanted.add(Directives.library(each, ""));
    }
    return wanted;
  }

  private static String modulePath() {
    return ScriptModule.compilePath().stream()
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
