// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/// What a test needs of the machine, and where it comes from: the list `tools/needs`, which `tools/test` installs from. What is
/// missing fails the test at once; neither is the test skipped, nor does it wait for a program that is not there.
public final class Needed {
  private static final Path LIST =
      Path.of(System.getProperty("couv.basedir", "..")).resolve("tools/needs");

  private Needed() {}

  /// The program's name, if it is there.
  ///
  /// @throws AssertionError if it is not, with the name of its package
  public static String program(String name) {
    return program(name, System.getenv("PATH"));
  }

  static String program(String name, String path) {
    String origin = packageOf("program", name);
    boolean isThere =
        Stream.of(path.split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, name)));
    if (!isThere) {
      throw missing(name, origin);
    }
    return name;
  }

  /// Where the server is: of several versions the one that the `PATH` has, or else the newest.
  ///
  /// @throws AssertionError if it is nowhere, with the name of its package
  public static Path server(String name) {
    return server(name, System.getenv("PATH"), Path.of("/usr/lib"));
  }

  static Path server(String name, String path, Path versions) {
    String origin = packageOf("server", name);
    try (Stream<Path> found =
        Files.isDirectory(versions) ? Files.find(versions, 4, isServer(name)) : Stream.empty()) {
      Stream<Path> places = Stream.of(path.split(File.pathSeparator)).map(Path::of);
      return Stream.concat(
              places.map(place -> place.resolve(name)), found.sorted(Comparator.reverseOrder()))
          .filter(Files::isExecutable)
          .findFirst()
          .orElseThrow(() -> missing(name, origin));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// As Debian has it: `postgresql/15/bin/postgres`.
  private static BiPredicate<Path, BasicFileAttributes> isServer(String name) {
    return (file, _) -> file.endsWith(Path.of("bin", name));
  }

  /// What to throw where a header is missing.
  public static AssertionError missingHeader(String name) {
    return missing(name, packageOf("header", name));
  }

  private static AssertionError missing(String name, String origin) {
    return new AssertionError(
        "the tests need "
            + name
            + ": apt-get install "
            + origin
            + ", or run tools/test, which does");
  }

  private static String packageOf(String kind, String name) {
    return list().stream()
        .filter(words -> words.get(0).equals(kind) && words.get(1).equals(name))
        .map(words -> words.get(2))
        .findFirst()
        .orElseThrow(() -> new AssertionError(LIST + " has no " + kind + " " + name));
  }

  /// Kind, name and package of each.
  static List<List<String>> list() {
    try {
      return Files.readAllLines(LIST).stream()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> List.of(line.split(" +")))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
