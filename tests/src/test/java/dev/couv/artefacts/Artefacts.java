// SPDX-License-Identifier: Apache-2.0
package dev.couv.artefacts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.Needed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// What `tools/artefacts` has built: once for all tests, and not at all if it is of these sources already.
final class Artefacts {
  static final Path BASE = Path.of(System.getProperty("couv.basedir", "..")).toAbsolutePath();
  static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

  private static final Path OUT = BASE.normalize().resolve("target/artefacts");
  private static boolean isBuilt;

  private Artefacts() {}

  /// How a program ended, and what it wrote.
  record Result(int status, String output) {
    List<String> lines() {
      return output.lines().toList();
    }
  }

  private static synchronized void build() throws Exception {
    if (isBuilt) return;
    Result result = run(BASE, Map.of(), "tools/artefacts");
    assertEquals(0, result.status(), result.output());
    isBuilt = true;
  }

  /// As a remote repository has it.
  static Path repository() throws Exception {
    build();
    return OUT.resolve("repository");
  }

  /// The distribution.
  static Path zip() throws Exception {
    build();
    try (Stream<Path> files = Files.list(OUT)) {
      return files
          .filter(file -> file.toString().endsWith(".zip"))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no zip in " + OUT));
    }
  }

  /// The one file of an artefact in the repository, by its classifier, such as `-sources`, and how its name ends.
  static Path file(String artefact, String classifier, String end) throws Exception {
    Path versions = repository().resolve("dev/couv").resolve(artefact);
    String pattern =
        "\\Q" + artefact + "\\E-[0-9.]+(-[0-9.]+-[0-9]+)?\\Q" + classifier + "." + end + "\\E";
    try (Stream<Path> files = Files.walk(versions)) {
      List<Path> found =
          files.filter(file -> file.getFileName().toString().matches(pattern)).toList();
      assertEquals(1, found.size(), () -> pattern + " in " + versions + ": " + found);
      return found.getFirst();
    }
  }

  /// Runs a command to its end, which comes within minutes.
  static Result run(Path directory, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("couv-artefacts", ".log");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().remove("COUV_LIBUV");
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(20, TimeUnit.MINUTES)) process.destroyForcibly();
      return new Result(process.waitFor(), Files.readString(output));
    } finally {
      Files.delete(output);
    }
  }

  /// What hides the system's libuv from a command that follows it.
  static List<String> withoutLibuv(String library) {
    return List.of(
        Needed.program("unshare"),
        "--map-root-user",
        "--mount",
        "sh",
        "-ec",
        "mount --make-rprivate /; mount --bind /dev/null '" + library + "'; exec \"$@\"",
        "sh");
  }
}
