// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A built checkout as far as the shell script `couv` looks at it, in a directory of its own: the
/// script may build there what it likes. Its Maven is a script that the test writes.
final class Checkout {
  private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
  private static final FileTime BEFORE = FileTime.from(Instant.parse("2021-01-01T00:00:00Z"));

  private final Path root;
  final Path coreJar;
  final Path cliJar;
  final Map<String, String> environment = new HashMap<>();

  Checkout(Path directory) throws IOException {
    this(directory, "a checkout");
  }

  Checkout(Path directory, String name) throws IOException {
    root = directory.resolve(name);
    Path target = root.resolve("cli/target");
    Files.createDirectories(target.resolve("lib"));
    Files.createDirectories(target.resolve("tool"));
    Files.copy(Cli.BASE.resolve("couv"), couv());
    for (String source :
        List.of(
            "pom.xml",
            "core/pom.xml",
            "libuv/pom.xml",
            "resilience/pom.xml",
            "bridge/pom.xml",
            "http/pom.xml",
            "inspect/pom.xml",
            "cluster/pom.xml",
            "cli/pom.xml")) {
      Files.createDirectories(root.resolve(source).getParent());
      Files.copy(Cli.BASE.resolve(source), root.resolve(source));
    }
    Files.createDirectories(root.resolve("core/src"));
    Files.createDirectories(root.resolve("libuv/src"));
    Files.createDirectories(root.resolve("resilience/src"));
    Files.createDirectories(root.resolve("bridge/src"));
    Files.createDirectories(root.resolve("http/src"));
    Files.createDirectories(root.resolve("inspect/src"));
    Files.createDirectories(root.resolve("cluster/src"));
    Files.createDirectories(root.resolve("cli/src"));
    age(root, LONG_AGO);
    for (String part : List.of("lib", "tool")) {
      try (Stream<Path> jars = Files.list(Cli.CLI_JAR.resolveSibling(part))) {
        for (Path jar : jars.toList()) {
          Files.copy(jar, target.resolve(part).resolve(jar.getFileName()));
        }
      }
    }
    coreJar = target.resolve("lib").resolve(Cli.CORE_JAR.getFileName());
    cliJar = Files.copy(Cli.CLI_JAR, target.resolve(Cli.CLI_JAR.getFileName()));
    Files.setLastModifiedTime(coreJar, BEFORE);
    Files.setLastModifiedTime(cliJar, BEFORE);
    // As if a training run had brought nothing: it would take longer than the tests.
    Files.createFile(target.resolve("couv-" + Runtime.version() + ".aot"));
    environment.put("JAVA25_HOME", Cli.JAVA_HOME.toString());
    mvn("echo '[ERROR] not to be called' && exit 1");
  }

  Path root() {
    return root;
  }

  Path couv() {
    return root.resolve("couv");
  }

  /// As if the sources of the library were edited now.
  void edit() throws IOException {
    Files.createFile(root.resolve("core/src/New.java"));
  }

  /// What `mvn` does, in the language of the shell.
  void mvn(String commands) throws IOException {
    Path bin = Files.createDirectories(root.resolve("bin"));
    Path mvn = Files.writeString(bin.resolve("mvn"), "#!/bin/sh\n" + commands + "\n");
    Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
    environment.put("PATH", bin + ":" + System.getenv("PATH"));
  }

  Cli.Result run(Path directory, String... command) throws Exception {
    try (var running = Cli.Running.start(List.of(command), directory, environment)) {
      return running.end();
    }
  }

  private static void age(Path directory, FileTime time) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, time);
      }
    }
  }
}
