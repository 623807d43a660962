// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Compiles code of the manual, with all modules of Couv to be imported and all that the tests have on the class path, and
/// runs it in this VM.
final class ManualCompiler {
  private static final String MODULES =
      "dev.couv,dev.couv.resilience,dev.couv.http,dev.couv.bridge,dev.couv.testing,org.junit.jupiter.api,java.net.http,java.sql";

  private ManualCompiler() {}

  /// Fails with what the compiler says, if it says something.
  static void compile(List<Path> files, Path target) {
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn"));
    arguments.addAll(List.of("-d", target.toString()));
    arguments.addAll(List.of("--module-path", modulePath()));
    arguments.addAll(List.of("--add-modules", MODULES));
    arguments.addAll(List.of("--class-path", System.getProperty("java.class.path")));
    files.forEach(file -> arguments.add(file.toString()));
    ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, complaints, complaints, arguments.toArray(String[]::new));
    assertEquals(0, status, () -> complaints.toString(UTF_8));
  }

  /// Our jars, and those of JUnit and Netty, which are modules as well.
  private static String modulePath() {
    Stream<String> ours =
        Stream.of("core", "resilience", "http", "bridge")
            .map(name -> System.getProperty("couv.test." + name + "-jar"));
    Stream<String> others =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(
                path ->
                    path.matches(
                            ".*/(couv-testing|jspecify|opentest4j|apiguardian|junit-|netty-)[^/]*")
                        || path.contains("/testing/target/"));
    return Stream.concat(ours, others)
        .filter(Objects::nonNull)
        .collect(Collectors.joining(File.pathSeparator));
  }

  static URLClassLoader load(Path directory) throws IOException {
    return new URLClassLoader(new URL[] {directory.toUri().toURL()}, Loop.class.getClassLoader());
  }

  /// Runs a method without arguments of a new object as the first coroutine of a loop, and returns what it printed.
  static String run(Class<?> type, String name) throws Exception {
    return printed(call -> Loop.run(call::run), type, name);
  }

  /// The same outside of a loop, for what makes its own.
  static String runPlain(Class<?> type, String name) throws Exception {
    return printed(Action::run, type, name);
  }

  private static String printed(How how, Class<?> type, String name) throws Exception {
    var constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    Method method = type.getDeclaredMethod(name);
    method.setAccessible(true);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      how.run(
          () -> {
            try {
              method.invoke(constructor.newInstance());
            } catch (InvocationTargetException e) {
              throw e.getCause() instanceof Exception cause ? cause : e;
            }
          });
    } finally {
      System.setOut(before);
    }
    return printed.toString(UTF_8);
  }

  private interface How {
    void run(Action call) throws Exception;
  }
}
