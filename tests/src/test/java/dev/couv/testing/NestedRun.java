// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import java.util.Map;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/// Runs one test method inside a test, to see how it fares. Without this project's listeners, which
/// are about the outer run.
final class NestedRun {
  private NestedRun() {}

  /// What it failed with; empty if it succeeded.
  static List<Throwable> failures(Class<?> type, String method) {
    return failures(type, method, Map.of());
  }

  static List<Throwable> failures(Class<?> type, String method, Map<String, String> configuration) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectMethod(type, method))
            .configurationParameter("couv.leak-check.patience-millis", "0")
            .configurationParameters(configuration)
            .build();
    LauncherConfig config =
        LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .enableLauncherSessionListenerAutoRegistration(false)
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create(config).execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    assertEquals(1, summary.getTestsStartedCount(), method + " did not start");
    return summary.getFailures().stream().map(TestExecutionSummary.Failure::getException).toList();
  }
}
