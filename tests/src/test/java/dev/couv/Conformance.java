// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.FreshJvm;
import dev.couv.strand.Scheduler;
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
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs test classes once more, in a JVM with other properties: `memory-world` with each `@InLoop` test in a world in memory, `without-epoll`
/// where libuv waits by itself. The list of that name has the classes, and those of their tests that are about something which is not there then.
/// Prints how many passed, and what failed.
public final class Conformance {
  private static final String LIST = "couv.test.list";

  /// Tests that are about the other engine, or would hang on this one.
  private static final String OTHER_ENGINE =
      Scheduler.engineKind().equals("loop-scheduled")
          ? "hand-over-engine"
          : "loop-scheduled-engine";

  private Conformance() {}

  /// The lines of the list that are no comments: classes, and `Class#method` with a reason behind it.
  private static List<String> lines(String name) throws Exception {
    try (InputStream list =
        Objects.requireNonNull(Conformance.class.getResourceAsStream("/" + name + ".txt"))) {
      return new String(list.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("//"))
          .toList();
    }
  }

  /// What is left out, by `Class#method`, and why.
  private static Map<String, String> leftOut(String name) throws Exception {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (String line : lines(name)) {
      int space = line.indexOf(' ');
      if (space > 0) {
        reasons.put(line.substring(0, space), line.substring(space + 1).strip());
      }
    }
    return reasons;
  }

  /// All that are in the list pass, and they are not few.
  public static void assertPasses(String name, int atLeast, String... options) throws Exception {
    List<String> command = FreshJvm.command(Conformance.class, options);
    command.add(1, "-D" + LIST + "=" + name);
    List<String> lines = FreshJvm.run(command);

    assertEquals(List.of(), lines.stream().filter(line -> line.startsWith("FAILED")).toList());
    int passed = Integer.parseInt(lines.getLast().replace("passed ", ""));
    assertTrue(passed >= atLeast, () -> passed + " passed");
  }

  /// What a list leaves out is there, and has a reason.
  public static void assertReasons(String name) throws Exception {
    for (var entry : leftOut(name).entrySet()) {
      String[] parts = entry.getKey().split("#");
      Class<?> tests = Class.forName("dev.couv." + parts[0]);
      assertTrue(
          List.of(tests.getDeclaredMethods()).stream()
              .anyMatch(method -> method.getName().equals(parts[1])),
          entry::toString);
      assertTrue(entry.getValue().length() > 5, entry::toString);
    }
  }

  @SuppressWarnings("SystemOut")
  public static void main(String... args) throws Exception {
    String list = System.getProperty(LIST);
    Map<String, String> leftOut = leftOut(list);
    LauncherDiscoveryRequestBuilder builder = LauncherDiscoveryRequestBuilder.request();
    for (String line : lines(list)) {
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
            .filters(filter, TagFilter.excludeTags(OTHER_ENGINE))
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
