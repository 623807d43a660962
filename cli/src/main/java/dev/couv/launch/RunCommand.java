// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/// `couv run`: compiles Java files and runs the first one's `main` as a coroutine.
@Command(
    name = "run",
    header = "Compiles and runs a Java file; its main is a coroutine.",
    customSynopsis = "couv run [-h] FILE.java [MORE.java...] [--] [ARGUMENT...]",
    description = {
      "",
      "FILE.java may be a compact source file or an ordinary one; classes of other files in its"
          + " directory are found by their names.",
      "",
      "The files end at the first word that does not end in .java, or at \"--\"; the rest are the"
          + " arguments of main.",
      "",
      "Ctrl-C cancels the program's coroutines; a second one ends it at once.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class RunCommand implements Callable<Integer> {
  @Parameters(arity = "0..*", hidden = true)
  private List<String> words = new ArrayList<>();

  /// For picocli.
  RunCommand() {}

  @Override
  public Integer call() throws IOException {
    return run(words);
  }

  /// Runs the script and returns the exit code.
  static int run(List<String> words) throws IOException {
    Interruption interruption = Interruption.install();
    try {
      ScriptCall call = ScriptCall.parse(words);
      Optional<CompiledScript> script = compiled(call.sources());
      if (script.isEmpty()) {
        return ExitCode.SOFTWARE;
      }
      return new ScriptRun(script.get(), call.arguments(), interruption).run();
    } catch (BadScript bad) {
      System.err.println("couv: " + bad.getMessage());
      return ExitCode.USAGE;
    }
  }

  private static Optional<CompiledScript> compiled(List<Path> sources)
      throws IOException, BadScript {
    ScriptCache cache = ScriptCache.ofProcess();
    Optional<CompiledScript> known = cache.find(sources);
    if (known.isPresent()) {
      return known;
    }
    Instant started = Instant.now();
    Optional<CompiledScript> script = ScriptCompiler.compile(sources);
    if (script.isPresent()) {
      cache.keep(sources, script.get(), started);
    }
    return script;
  }
}
