// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs test classes of the host's world once more, with each `@InLoop` test in a world in memory. `memory-world.txt` names the
/// classes, and those of their tests that are about something this world does not have. Prints how many passed, and what failed.
final class Conformance {
  private Conformance() {}

  /// The lines of the list that are no comments: classes, and `Class#method` with a reason behind it.
  static List<String> lines() throws Exception {
    try (InputStream list =
        Objects.requireNonNull(Conformance.class.getResourceAsStream("/memory-world.txt"))) {
      return new String(list.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("//"))
          .toList();
    }
  }

  /// What is left out, by `Class#method`, and why.
  static Map<String, String> leftOut() throws Exception {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (String line : lines()) {
      int space = line.indexOf(' ');
      if (space > 0) {
        reasons.put(line.substring(0, space), line.substring(space + 1).strip());
      }
    }
    return reasons;
  }

  @SuppressWarnings("SystemOut")
  public static void main(String... args) throws Exception {
    Map<String, String> leftOut = leftOut();
    LauncherDiscoveryRequestBuilder builder = LauncherDiscoveryRequestBuilder.request();
    for (String line : lines()) {
      if (line.indexOf(' ') < 0) {
        builder.selectors(DiscoverySelectors.selectClass("dev.couv." + line));
      }
    }
    PostDiscoveryFilter filter =
        descriptor ->
            FilterResult.includedIf(
                !leftOut.containsKey(name(descriptor.getSource().orElse(null))));
    LauncherDiscoveryRequest request =
        builder
            .filters(filter)
            .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
            .configurationParameter("junit.jupiter.execution.timeout.threaddump.enabled", "false")
            .build();
    AtomicInteger passed = new AtomicInteger();
    List<String> failed = new ArrayList<>();
    Launcher launcher =
        LauncherFactory.create(
            LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build());
    launcher.execute(
        request,
        new TestExecutionListener() {
          @Override
          public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
              String why = String.valueOf(result.getThrowable().orElse(null));
              failed.add(
                  name(test.getSource().orElse(null)) + " " + why.lines().findFirst().orElse(""));
            } else if (test.isTest()) {
              passed.incrementAndGet();
            }
          }
        });
    failed.forEach(each -> System.out.println("FAILED " + each));
    System.out.println("passed " + passed);
    System.exit(0);
  }

  private static String name(@Nullable Object source) {
    return source instanceof MethodSource method
        ? method.getClassName().replaceFirst("dev\\.couv\\.", "") + "#" + method.getMethodName()
        : String.valueOf(source);
  }
}
