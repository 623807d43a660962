// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import dev.couv.depend.Coordinates;
import dev.couv.depend.Libraries;
import dev.couv.depend.UnresolvedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `couv run`: compiles Java files and runs the first one's `main` as a coroutine.
@Command(
    name = "run",
    header = "Compiles and runs a Java file; its main is a coroutine.",
    customSynopsis = "couv run [OPTION...] FILE.java [MORE.java...] [--] [ARGUMENT...]",
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
  @Mixin private RunOptions options = new RunOptions();

  @Parameters(arity = "0..*", paramLabel = "FILE.java", hidden = true)
  private List<String> words = new ArrayList<>();

  /// For picocli.
  RunCommand() {}

  @Override
  public Integer call() throws IOException {
    if (options.watch) {
      return run(options, words); // the child is who is looked at
    }
    if (options.trace != null && !RunTrace.begin(options.trace, words)) {
      return ExitCode.USAGE;
    }
    if (!options.inspect) {
      return run(options, words);
    }
    try (RunPage _ = RunPage.open(words)) {
      return run(options, words);
    }
  }

  /// Runs the script and returns the exit code.
  static int run(RunOptions options, List<String> words) throws IOException {
    Interruption interruption = Interruption.install();
    try {
      ScriptCall call = ScriptCall.parse(words);
      if (options.watch) {
        return WatchedRun.of(options, call, interruption).run();
      }
      Optional<CompiledScript> script = compiled(options, call);
      if (script.isEmpty()) {
        return ExitCode.SOFTWARE;
      }
      if (options.flight != null) {
        FlightRecord.start(options.flight);
      }
      return new ScriptRun(script.get(), call.arguments(), interruption, options.stacktrace).run();
    } catch (BadScript bad) {
      System.err.println("couv: " + bad.getMessage());
      return ExitCode.USAGE;
    } catch (UnresolvedException missing) {
      System.err.println("couv: " + missing.getMessage());
      return ExitCode.SOFTWARE;
    }
  }

  /// As [#run], but everything that a first and a second run do, one after the other, for the cache that a
  /// training run makes.
  static int train(List<String> words) throws IOException {
    try {
      ScriptCall call = ScriptCall.parse(words);
      compiled(RunOptions.NONE, call);
      return run(RunOptions.NONE, words);
    } catch (BadScript | UnresolvedException e) {
      throw new AssertionError(e);
    }
  }

  /// Nothing if it does not compile: javac has said why.
  static Optional<CompiledScript> compiled(RunOptions options, ScriptCall call)
      throws IOException, BadScript, UnresolvedException {
    return compiled(options, call, new HashSet<>());
  }

  /// As above, and adds to `read` the files that the script is made of; if it does not compile, those that javac
  /// has come to.
  static Optional<CompiledScript> compiled(RunOptions options, ScriptCall call, Set<Path> read)
      throws IOException, BadScript, UnresolvedException {
    List<Path> libraries = libraries(options, call.sources());
    ScriptCache cache = ScriptCache.ofProcess();
    Optional<CompiledScript> known = cache.find(call.sources(), libraries);
    if (known.isPresent()) {
      read.addAll(known.get().sources());
      return known;
    }
    Instant started = Instant.now();
    prepare();
    Optional<CompiledScript> script = ScriptCompiler.compile(call.sources(), libraries, read);
    if (script.isPresent()) {
      cache.keep(call.sources(), script.get(), started);
    }
    return script;
  }

  /// What every loop needs, its classes and the functions of C, is found while javac is at work, if there is a second
  /// processor for it.
  private static void prepare() {
    if (Runtime.getRuntime().availableProcessors() > 1) {
      Thread.ofPlatform().name("couv-prepare").daemon().start(RunCommand::runNothing);
    }
  }

  private static void runNothing() {
    try {
      Loop.run((Action) () -> {});
    } catch (Throwable failure) {
      return; // the script's own loop fails in the same way, and tells
    }
  }

  private static List<Path> libraries(RunOptions options, List<Path> sources)
      throws IOException, BadScript, UnresolvedException {
    List<Coordinates> wanted = new ArrayList<>();
    for (String each : options.libraries) {
      wanted.add(Directives.library(each, ""));
    }
    wanted.addAll(Directives.libraries(sources));
    if (wanted.isEmpty()) {
      return List.of();
    }
    return new Libraries(ScriptCache.place(), options.offline).find(wanted);
  }
}
