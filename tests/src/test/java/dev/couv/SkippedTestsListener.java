// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
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

  private final Queue<String> skipped = new ConcurrentLinkedQueue<>();

  /// For JUnit, which finds this class by its service file.
  public SkippedTestsListener() {}

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    skipped.clear();
    write(List.of());
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

  /// Leaves no file where there is nothing to tell.
  private void write(List<String> lines) {
    if (file.isEmpty()) return;
    try {
      if (lines.isEmpty()) {
        Files.deleteIfExists(Path.of(file));
      } else {
        Files.write(Path.of(file), lines);
        lines.forEach(line -> System.err.println("skipped, which is not allowed: " + line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
