// SPDX-License-Identifier: Apache-2.0
package dev.couv.artefacts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Needed;
import dev.couv.artefacts.Artefacts.Result;
import dev.couv.uv.Native;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs of somebody who has Couv from a repository: one on the class path, one on the module path. Maven builds and tests
/// them, with a local repository of their own, and they run on a machine without libuv.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class ConsumerTest {
  private static final Path SOURCES =
      Artefacts.BASE.resolve("tests/src/test/resources/consumer").normalize();

  @TempDir private static Path folder;
  private static Path project;

  @BeforeAll
  static void build() throws Exception {
    project = folder.resolve("consumer");
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        String path = SOURCES.relativize(each).toString();
        put(path, each);
        // The same program, once with a descriptor.
        if (path.startsWith("class-path/src")) put(path.replace("class-path", "module-path"), each);
      }
    }
    Result result =
        Artefacts.run(
            project,
            Map.of("JAVA_HOME", Artefacts.JAVA_HOME.toString()),
            Needed.program("mvn"),
            "-B",
            "-ntp",
            "-s",
            "settings.xml",
            "-Dmaven.repo.local=" + folder.resolve("repository"),
            "verify");
    assertEquals(0, result.status(), result.output());
    assertEquals(
        2,
        result.lines().stream().filter(line -> line.contains("Tests run: 1, Failures: 0")).count()
            / 2, // of each, once for the class and once for all
        result.output());
  }

  private static void put(String path, Path file) throws Exception {
    String text =
        Files.readString(file)
            .replace("@version@", version())
            .replace("@repository@", Artefacts.repository().toUri().toString())
            .replace(
                "@seed@",
                Path.of(System.getProperty("couv.test.local-repository")).toUri().toString());
    Path copy = project.resolve(path);
    Files.createDirectories(copy.getParent());
    Files.writeString(copy, text);
  }

  private static String version() throws Exception {
    Path versions = Artefacts.repository().resolve("dev/couv/couv");
    try (Stream<Path> each = Files.list(versions)) {
      return each.filter(Files::isDirectory).findFirst().orElseThrow().getFileName().toString();
    }
  }

  @Test
  void onTheClassPathWithTheFlag() throws Exception {
    assertEquals(
        List.of("200 loop-scheduled"),
        java(
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "-cp",
                path("class-path"),
                "app.Main")
            .lines());
  }

  @Test
  void onTheClassPathWithout() throws Exception {
    assertRunsOnTheSlowerEngine(
        java("--enable-native-access=ALL-UNNAMED", "-cp", path("class-path"), "app.Main"));
  }

  @Test
  void onTheModulePathWithTheFlag() throws Exception {
    assertEquals(
        List.of("200 loop-scheduled"),
        java(
                "--enable-native-access=dev.couv",
                "--add-opens",
                "java.base/java.lang=dev.couv",
                "-p",
                path("module-path"),
                "-m",
                "app/app.Main")
            .lines());
  }

  @Test
  void onTheModulePathWithout() throws Exception {
    assertRunsOnTheSlowerEngine(
        java("--enable-native-access=dev.couv", "-p", path("module-path"), "-m", "app/app.Main"));
  }

  /// An image has what is required, and what provides a service to it.
  @Test
  void linkedToAnImage() throws Exception {
    Path image = folder.resolve("image");
    Result linked =
        Artefacts.run(
            project,
            Map.of(),
            Artefacts.JAVA_HOME.resolve("bin/jlink").toString(),
            "--module-path",
            path("module-path"),
            "--add-modules",
            "app,dev.couv.libuv",
            "--add-options=--enable-native-access=dev.couv"
                + " --add-opens=java.base/java.lang=dev.couv",
            "--launcher",
            "app=app/app.Main",
            "--output",
            image.toString());
    assertEquals(0, linked.status(), linked.output());

    assertEquals(
        List.of("200 loop-scheduled"), hidden(image.resolve("bin/app").toString()).lines());
  }

  private static void assertRunsOnTheSlowerEngine(Result result) {
    assertEquals("200 hand-over", result.lines().getLast());
    assertTrue(result.output().contains("For the fast one start java with --add-opens"));
    assertEquals(0, result.status());
  }

  private static String path(String program) throws Exception {
    Path target = project.resolve(program).resolve("target");
    return target.resolve(program + "-1.jar")
        + File.pathSeparator
        + Files.readString(target.resolve("path")).strip();
  }

  private static Result java(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Artefacts.JAVA_HOME.resolve("bin/java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of(arguments));
    return hidden(command.toArray(String[]::new));
  }

  private static Result hidden(String... command) throws Exception {
    List<String> all = new ArrayList<>(Artefacts.withoutLibuv(Native.libraryPath()));
    all.addAll(List.of(command));
    return Artefacts.run(project, Map.of(), all.toArray(String[]::new));
  }
}
