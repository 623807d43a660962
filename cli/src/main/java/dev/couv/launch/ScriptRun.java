// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.coro.Action;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.uv.UvLibraryError;
import java.util.List;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.ExitCode;

/// One run of a script: its `main` is the first coroutine of a loop on this thread.
final class ScriptRun {
  /// A script that waits for ever says nothing.
  private static final LoopOptions OPTIONS = LoopOptions.DEFAULT.withStrictDeadlocks(true);

  private final CompiledScript script;
  private final List<String> arguments;
  private final Interruption interruption;
  private final boolean stacktrace;

  ScriptRun(
      CompiledScript script,
      List<String> arguments,
      Interruption interruption,
      boolean stacktrace) {
    this.script = script;
    this.arguments = arguments;
    this.interruption = interruption;
    this.stacktrace = stacktrace;
  }

  /// Returns the exit code when the loop has ended. After a signal it does not return.
  int run() throws BadScript {
    ScriptLoader loader = new ScriptLoader(script);
    MainMethod main = MainMethod.of(load(loader));
    int status = ExitCode.OK;
    PipedOutput.install(interruption);
    try {
      Loop.run(OPTIONS, (Action) () -> begin(main, loader));
    } catch (UvLibraryError missing) {
      System.err.println(missing.getMessage());
      status = ExitCode.SOFTWARE;
    } catch (Throwable failure) {
      report(failure);
      status = ExitCode.SOFTWARE;
    }
    System.out.flush();
    interruption.ended();
    return status;
  }

  private Class<?> load(ScriptLoader loader) {
    try {
      return Class.forName(script.mainClass(), false, loader);
    } catch (ClassNotFoundException e) {
      throw new AssertionError("the compiler wrote it", e);
    }
  }

  private void begin(MainMethod main, ScriptLoader loader) throws Exception {
    Thread.currentThread().setContextClassLoader(loader);
    interruption.started(Loop.current(), Coroutine.current());
    try {
      main.invoke(arguments);
    } catch (Exception | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  /// In a few lines, unless all was asked for, or the script has set a handler for what nobody catches.
  private void report(Throwable failure) {
    if (interruption.isReceived()
        && (failure instanceof CancellationException || failure instanceof Cancelled)) {
      return;
    }
    if (PipedOutput.isClosedBy(failure)) {
      interruption.outputClosed();
      return;
    }
    Traces.cut(failure);
    Thread thread = Thread.currentThread();
    if (stacktrace
        || thread.getUncaughtExceptionHandler() != thread.getThreadGroup()
        || Thread.getDefaultUncaughtExceptionHandler() != null) {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } else {
      System.err.print(FailureReport.of(failure, script.classes().keySet()));
    }
  }
}
