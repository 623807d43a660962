// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import java.util.List;
import java.util.Map;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Completeness;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import jdk.jshell.VarSnippet;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;

/// What was typed so far, and a loop to run it on: a JShell whose snippets are coroutines.
final class Session implements AutoCloseable {
  private static final String IMPORTS = "import module dev.couv;";

  private final LiveLoop loop;
  private final JShell shell;
  private final Answers answers;

  private Session(LiveLoop loop, JShell shell, Answers answers) {
    this.loop = loop;
    this.shell = shell;
    this.answers = answers;
  }

  static Session open(Surroundings surroundings, Answers answers) throws Exception {
    LiveLoop loop = LiveLoop.open(answers::background);
    try {
      JShell shell =
          JShell.builder()
              .executionEngine(new Engine(surroundings.loader(), loop), Map.of())
              .fileManager(PlainTypes::of)
              .compilerOptions(
                  "--module-path",
                  surroundings.modulePath(),
                  "--add-modules",
                  surroundings.modules())
              .build();
      surroundings.libraries().forEach(each -> shell.addToClasspath(each.toString()));
      shell.eval(IMPORTS);
      return new Session(loop, shell, answers);
    } catch (RuntimeException | Error failure) {
      loop.close();
      throw failure;
    }
  }

  private record Engine(ClassLoader loader, LiveLoop loop) implements ExecutionControlProvider {
    @Override
    public String name() {
      return "couv";
    }

    @Override
    public ExecutionControl generate(ExecutionEnv env, Map<String, String> parameters) {
      return new LoopExecution(loader, loop);
    }
  }

  SourceCodeAnalysis analysis() {
    return shell.sourceCodeAnalysis();
  }

  /// Whether more must be typed before it can be run.
  boolean isUnfinished(String source) {
    return switch (analysis().analyzeCompletion(source).completeness()) {
      case DEFINITELY_INCOMPLETE, CONSIDERED_INCOMPLETE -> true;
      case COMPLETE, COMPLETE_WITH_SEMI, EMPTY, UNKNOWN -> false;
    };
  }

  /// Runs all statements of the text, up to the first that fails, and tells what came of them. Returns whether
  /// none failed.
  boolean run(String text) {
    String left = text;
    loop.unstop();
    while (!left.isBlank()) {
      if (loop.isStopped()) {
        answers.refuse("cancelled");
        return false;
      }
      CompletionInfo next = analysis().analyzeCompletion(left);
      boolean isOdd =
          next.completeness() == Completeness.UNKNOWN
              || next.completeness() == Completeness.DEFINITELY_INCOMPLETE;
      String source = isOdd ? left : next.source();
      for (SnippetEvent event : shell.eval(source)) {
        if (!answers.tell(shell, event)) {
          return false;
        }
      }
      left = isOdd ? "" : next.remaining();
    }
    return true;
  }

  /// From another thread: cancels what runs, and what is being compiled to run.
  void stop() {
    shell.stop();
  }

  String dump() {
    return loop.dump();
  }

  /// The variables, a line each.
  List<String> variables() {
    return shell
        .variables()
        .map(each -> each.typeName() + " " + each.name() + " = " + value(each))
        .toList();
  }

  private String value(VarSnippet variable) {
    return shell.status(variable) == Snippet.Status.VALID
        ? shell.varValue(variable)
        : "(not yet usable)";
  }

  @Override
  public void close() {
    loop.close();
    shell.close();
  }
}
