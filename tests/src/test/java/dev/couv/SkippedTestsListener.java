// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/// Writes down which tests were skipped, so that the build can fail for it: JUnit gives a listener no
/// way to fail a run, so the file named by `couv.test.skipped-file` exists after a run in which a test
/// was disabled or aborted that `couv.test.allow-skipped` does not name, and `tests/pom.xml` refuses it.
public final class SkippedTestsListener implements TestExecutionListener {
  private final String file = System.getProperty("couv.test.skipped-file", "");
  private final Set<String> allowed =
      Set.of(System.getProperty("couv.test.allow-skipped", "").split(","));

  /// Whether this JVM has run tests before: what it noted then stays. Each class is a plan of its own.
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private final Queue<String> skipped = new ConcurrentLinkedQueue<>();

  /// For JUnit, which finds this class by its service file.
  public SkippedTestsListener() {}

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    skipped.clear();
    if (!BEGUN.getAndSet(true)) {
      deleteOfAnEarlierBuild();
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    note(test, reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      note(test, result.getThrowable().map(Throwable::getMessage).orElse("aborted"));
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    write(List.copyOf(skipped));
  }

  private void note(TestIdentifier test, String reason) {
    var source = test.getSource().orElse(null);
    var className =
        switch (source) {
          case MethodSource method -> method.getClassName();
          case ClassSource type -> type.getClassName();
          case null, default -> test.getUniqueId();
        };
    var name = source instanceof MethodSource m ? className + "#" + m.getMethodName() : className;
    if (!allowed.contains(className) && !allowed.contains(name)) skipped.add(name + ": " + reason);
  }

  private void deleteOfAnEarlierBuild() {
    if (file.isEmpty()) return;
    try {
      Files.deleteIfExists(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Leaves no file where there is nothing to tell.
  private void write(List<String> lines) {
    if (file.isEmpty() || lines.isEmpty()) return;
    try {
      Files.write(Path.of(file), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      lines.forEach(line -> System.err.println("skipped, which is not allowed: " + line));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
