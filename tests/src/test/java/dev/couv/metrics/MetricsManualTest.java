// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Loop;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs of the page on metrics and traces run.
@Tag("loop-scheduled-engine")
class MetricsManualTest {
  @TempDir private Path directory;

  @Test
  void theProgramsOfThePageRun() throws Exception {
    String[] blocks =
        Files.readString(Path.of(System.getProperty("couv.basedir"), "docs/manual/metrics.md"))
            .split("```java\n");
    List<String> printed = new ArrayList<>();
    for (int i = 1; i < blocks.length; i++) {
      printed.add(run("Program" + i, blocks[i].split("```", 2)[0]));
    }

    assertEquals(
        List.of("2.0 coroutines\n2.0 orders\n", "green\n1 answered\n1 asked\n", "that is 3\n"),
        printed);
  }

  private String run(String name, String program) throws Exception {
    Path file = Files.writeString(directory.resolve(name + ".java"), program);
    compile(file);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true, UTF_8));
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, Loop.class.getClassLoader())) {
      Class<?> type = loader.loadClass(name);
      var constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      Method main = type.getDeclaredMethod("main");
      main.setAccessible(true);
      Loop.run(
          () -> {
            try {
              main.invoke(constructor.newInstance());
            } catch (InvocationTargetException e) {
              throw e.getCause() instanceof Exception cause ? cause : e;
            }
          });
    } finally {
      System.setOut(before);
    }
    return printed.toString(UTF_8);
  }

  private void compile(Path file) {
    List<String> modules =
        new ArrayList<>(
            List.of(
                System.getProperty("couv.test.core-jar"),
                System.getProperty("couv.test.metrics-jar")));
    for (Class<?> type : List.of(MeterRegistry.class, OpenTelemetry.class, Context.class)) {
      modules.add(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }
    Path cli = Path.of(System.getProperty("couv.test.cli-jar"));
    modules.add(
        cli.resolveSibling("lib")
            .toString()); // with dev.couv.http; what is there twice is taken above
    ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                complaints,
                complaints,
                "-proc:none",
                "-d",
                directory.toString(),
                "--module-path",
                String.join(":", modules),
                "--add-modules",
                "dev.couv.http,dev.couv.metrics,micrometer.core,io.opentelemetry.api,io.opentelemetry.context",
                file.toString());
    assertEquals(0, status, () -> complaints.toString(UTF_8));
  }
}
