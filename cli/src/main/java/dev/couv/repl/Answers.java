// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import dev.couv.coro.Cancelled;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Set;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.Diag;
import jdk.jshell.EvalException;
import jdk.jshell.ExpressionSnippet;
import jdk.jshell.JShell;
import jdk.jshell.MethodSnippet;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Status;
import jdk.jshell.SnippetEvent;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.UnresolvedReferenceException;
import jdk.jshell.VarSnippet;
import org.jspecify.annotations.Nullable;

/// What the prompt says of a snippet: its value, or in few lines what is wrong with it.
final class Answers {
  private static final Set<String> CANCELLED =
      Set.of(Cancelled.class.getName(), Stopped.class.getName());

  private final PrintStream out;
  private final PrintStream err;

  Answers(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  void say(String text) {
    out.println(text);
  }

  void refuse(String text) {
    err.println(text);
  }

  /// Returns whether all is well.
  boolean tell(JShell shell, SnippetEvent event) {
    if (event.causeSnippet() != null) {
      return true; // an older one, which only follows
    }
    if (event.status() == Status.REJECTED) {
      shell.diagnostics(event.snippet()).forEach(diagnostic -> wrong(event.snippet(), diagnostic));
      return false;
    }
    if (event.status() == Status.RECOVERABLE_NOT_DEFINED && isUnnamed(event.snippet())) {
      err.println("error: not run, there is no " + missing(shell, event.snippet()));
      return false;
    }
    if (event.exception() != null) {
      failed(event.exception());
      return false;
    }
    String value = event.value();
    if (value != null && !value.isEmpty()) {
      value(event.snippet(), value);
    } else if (event.previousStatus() == Status.NONEXISTENT) {
      declared(shell, event);
    }
    return true;
  }

  /// A value that nobody gave a name.
  private static boolean isUnnamed(Snippet snippet) {
    return snippet.subKind() == Snippet.SubKind.TEMP_VAR_EXPRESSION_SUBKIND;
  }

  private void value(Snippet snippet, String value) {
    switch (snippet) {
      case VarSnippet variable -> out.println(variable.name() + " ==> " + value);
      case ExpressionSnippet expression -> out.println(expression.name() + " ==> " + value);
      default -> {}
    }
  }

  private void declared(JShell shell, SnippetEvent event) {
    String what =
        switch (event.snippet()) {
          case MethodSnippet method ->
              "method " + method.name() + "(" + method.parameterTypes() + ")";
          case TypeDeclSnippet type -> kind(type) + " " + type.name();
          case VarSnippet variable when event.status() != Status.VALID ->
              "variable " + variable.name();
          default -> "";
        };
    if (what.isEmpty()) {
      return;
    }
    String limit =
        event.status() == Status.VALID
            ? ""
            : ", usable when there is " + missing(shell, event.snippet());
    out.println("created " + what + limit);
  }

  /// `class`, `record`, …
  private static String kind(TypeDeclSnippet type) {
    return type.subKind().toString().toLowerCase(Locale.ROOT).replace("_subkind", "");
  }

  private static String missing(JShell shell, Snippet snippet) {
    return snippet instanceof DeclarationSnippet declaration
        ? String.join(", ", shell.unresolvedDependencies(declaration).toList())
        : "";
  }

  /// As javac would, with the line and a mark below it.
  private void wrong(Snippet snippet, Diag diagnostic) {
    if (!diagnostic.isError()) {
      return;
    }
    err.println("error: " + diagnostic.getMessage(Locale.ROOT));
    String source = snippet.source();
    int start = Math.clamp(diagnostic.getStartPosition(), 0, source.length());
    int end = Math.clamp(diagnostic.getEndPosition(), start, source.length());
    int begin = source.lastIndexOf('\n', Math.max(0, start - 1)) + 1;
    int stop = source.indexOf('\n', start);
    String line = source.substring(begin, stop < 0 ? source.length() : stop);
    int length = Math.max(1, Math.min(end, begin + line.length()) - start);
    err.println("  " + line);
    err.println("  " + " ".repeat(Math.max(0, start - begin)) + "^".repeat(length));
  }

  private void failed(Throwable failure) {
    if (failure instanceof EvalException thrown
        && CANCELLED.contains(thrown.getExceptionClassName())) {
      err.println("cancelled");
      return;
    }
    err.println(text(failure));
    String said = String.valueOf(failure.getMessage());
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (!said.equals(cause.getMessage())) {
        err.println("  caused by: " + text(cause));
      }
    }
  }

  private static String text(Throwable failure) {
    return switch (failure) {
      case EvalException thrown -> named(thrown.getExceptionClassName(), thrown.getMessage());
      case UnresolvedReferenceException missing ->
          "not declared yet: what " + missing.getSnippet().name() + " uses";
      default -> named(failure.getClass().getName(), failure.getMessage());
    };
  }

  private static String named(String type, @Nullable String message) {
    return message == null ? type : type + ": " + message;
  }

  /// A coroutine that nobody awaits has failed, perhaps while something is being typed.
  void background(Throwable failure) {
    err.println(
        "a coroutine has failed: " + named(failure.getClass().getName(), failure.getMessage()));
  }
}
