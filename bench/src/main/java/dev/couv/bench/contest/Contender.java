// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A server to compare.
///
/// @param description what it is, with its version
/// @param command starts it at that port of the loopback interface
/// @param missing what this machine lacks of it; null if it can be started
record Contender(
    String label, String description, IntFunction<List<String>> command, @Nullable String missing) {

  /// What every server on a JVM gets. On one core the collector is the serial one anyway. A heap that grows
  /// from little shows what a server needs; the JVM's own choice shows how much memory the machine has.
  private static final List<String> JVM =
      List.of("-XX:+UseSerialGC", "-Xms16m", "-Xmx512m", "--enable-native-access=ALL-UNNAMED");

  /// A program of this machine, which says its version if it is asked by `version`.
  static Contender ofProgram(
      String label, String debian, List<String> version, IntFunction<List<String>> command) {
    Path program = find(version.getFirst());
    if (program == null) {
      String missing = "%s is missing; on Debian: apt-get install %s";
      return new Contender(label, label, command, missing.formatted(version.getFirst(), debian));
    }
    List<String> asked = new ArrayList<>(version);
    asked.set(0, program.toString());
    return new Contender(label, firstLine(asked), command, null);
  }

  /// A class of this class path.
  static Contender ofJava(String label, String description, String main, String... arguments) {
    return new Contender(label, description, port -> java(main, port, arguments), null);
  }

  static String jvmFlags() {
    return String.join(" ", JVM.subList(0, 3));
  }

  private static List<String> java(String main, int port, String... arguments) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return Stream.of(
            Stream.of(java),
            JVM.stream(),
            Stream.of("--add-opens=java.base/java.lang=ALL-UNNAMED"),
            Stream.of("-cp", System.getProperty("java.class.path"), main, String.valueOf(port)),
            Stream.of(arguments))
        .flatMap(part -> part)
        .toList();
  }

  /// Where it is, also if only root has it on the path.
  static @Nullable Path find(String program) {
    String path = System.getenv("PATH") + ":/usr/sbin:/usr/local/sbin";
    return Stream.of(path.split(":", -1))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  private static String firstLine(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return said.lines().findFirst().orElse(command.getFirst());
    } catch (IOException e) {
      return command.getFirst() + ": " + e.getMessage();
    }
  }
}
