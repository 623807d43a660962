// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/// Runs tests inside a test, to see how they fare. Without this project's listeners, which are
/// about the outer run.
final class NestedRun {
  private NestedRun() {}

  /// What it failed with; empty if it succeeded.
  static List<Throwable> failures(Class<?> type, String method) {
    return failures(type, method, Map.of());
  }

  static List<Throwable> failures(Class<?> type, String method, Map<String, String> configuration) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    run(selectMethod(type, method), configuration, listener);
    TestExecutionSummary summary = listener.getSummary();
    assertEquals(1, summary.getTestsStartedCount(), method + " did not start");
    return summary.getFailures().stream().map(TestExecutionSummary.Failure::getException).toList();
  }

  /// How each test of the class ended, by the name of its method, or of a dynamic test.
  static Map<String, TestExecutionResult> results(Class<?> type) {
    Map<String, TestExecutionResult> results = new TreeMap<>();
    run(
        selectClass(type),
        Map.of(),
        new TestExecutionListener() {
          @Override
          public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
              results.put(name(test), result);
            }
          }
        });
    return results;
  }

  private static String name(TestIdentifier test) {
    return test.getSource().orElse(null) instanceof MethodSource method
        ? method.getMethodName()
        : test.getDisplayName();
  }

  private static void run(
      DiscoverySelector tests, Map<String, String> configuration, TestExecutionListener listener) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(tests)
            .configurationParameter("couv.leak-check.patience-millis", "0")
            .configurationParameter("junit.jupiter.execution.timeout.threaddump.enabled", "false")
            .configurationParameters(configuration)
            .build();
    LauncherConfig config =
        LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .enableLauncherSessionListenerAutoRegistration(false)
            .build();
    LauncherFactory.create(config).execute(request, listener);
  }
}
