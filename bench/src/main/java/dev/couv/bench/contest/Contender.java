// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A server or a program to compare.
///
/// @param description what it is, with its version
/// @param command starts a server at that address, or a program with that size
/// @param missing what this machine lacks of it; null if it can be started
record Contender(
    String label,
    String description,
    Function<String, List<String>> command,
    @Nullable String missing) {

  /// What everything on a JVM gets. On one core the collector is the serial one anyway, and small heads of objects are
  /// what `couv run` gives. A heap that grows from little shows what a server needs; the JVM's own choice shows how much
  /// memory the machine has.
  private static final List<String> JVM =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:+UseCompactObjectHeaders",
          "-Xms16m",
          "-Xmx1g",
          "--enable-native-access=ALL-UNNAMED");

  /// The heap of what has a million of something.
  static final List<String> ROOMY = List.of("-Xms2g", "-Xmx3g");

  static final String OPEN = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /// A program of this machine, which says its version if it is asked by `version`.
  static Contender ofProgram(
      String label, String debian, List<String> version, Function<String, List<String>> command) {
    Path program = find(version.getFirst());
    if (program == null) {
      return new Contender(label, label, command, null).without(debian);
    }
    List<String> asked = new ArrayList<>(version);
    asked.set(0, program.toString());
    return new Contender(label, firstLine(asked), command, null);
  }

  /// One that the script has built, if it could. It says its version if it is asked.
  static Contender ofBuilt(String label, String debian, String program, String... arguments) {
    return ofProgram(
        label,
        debian,
        List.of(program, "version"),
        at -> Stream.concat(Stream.of(program, at), Stream.of(arguments)).toList());
  }

  /// A class of this class path: the address or size, and then its arguments.
  static Contender ofJava(String label, String description, Class<?> main, String... arguments) {
    return ofJava(label, description, List.of(OPEN), main, arguments);
  }

  static Contender ofJava(
      String label, String description, List<String> flags, Class<?> main, String... arguments) {
    return new Contender(label, description, at -> java(flags, main, at, arguments), null);
  }

  /// The same on a machine that lacks these packages.
  Contender without(String debian) {
    String what = "it is not here; on Debian: apt-get install " + debian;
    return new Contender(label, description, command, what);
  }

  boolean isJava() {
    return command.apply("0").getFirst().equals(javaProgram());
  }

  private static String javaProgram() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static List<String> java(
      List<String> flags, Class<?> main, String at, String... arguments) {
    return Stream.of(
            Stream.of(javaProgram()),
            JVM.stream(),
            flags.stream(),
            Stream.of("-cp", System.getProperty("java.class.path"), main.getName(), at),
            Stream.of(arguments))
        .flatMap(part -> part)
        .toList();
  }

  /// Where it is, also if only root has it on the path.
  static @Nullable Path find(String program) {
    if (program.contains("/")) {
      return Files.isExecutable(Path.of(program)) ? Path.of(program) : null;
    }
    String path = System.getenv("PATH") + ":/usr/sbin:/usr/local/sbin";
    return Stream.of(path.split(":", -1))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  /// Of a jar on the class path, by its name.
  static String version(String artifact) {
    Matcher jar =
        Pattern.compile("/" + artifact + "-(\\d[^/:]*?)\\.jar")
            .matcher(System.getProperty("java.class.path"));
    return jar.find() ? jar.group(1) : "?";
  }

  static String jdk() {
    return "JDK " + Runtime.version();
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
