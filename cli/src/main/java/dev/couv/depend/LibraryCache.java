// SPDX-License-Identifier: Apache-2.0
package dev.couv.depend;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Class paths that were resolved before, each in a file of lines: what was asked for and by which settings, and
/// the files that were found. An entry holds while the settings and the files are as they were; for a version that
/// moves, a snapshot for instance, no longer than a day.
///
/// A convenience only: what cannot be read or written is resolved again.
final class LibraryCache {
  private static final String SUFFIX = ".libraries";
  private static final String FORMAT = "couv libraries 1";
  private static final String END = "found";
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration LONG_UNUSED = Duration.ofDays(90);

  private final @Nullable Path directory;

  LibraryCache(@Nullable Path directory) {
    this.directory = directory;
  }

  Optional<List<Path>> find(List<Coordinates> wanted, MavenPlaces places) {
    if (directory == null) {
      return Optional.empty();
    }
    try {
      List<String> asked = asked(wanted, places);
      Path file = file(directory, asked);
      List<String> lines = Files.readAllLines(file);
      if (lines.size() < asked.size() || !lines.subList(0, asked.size()).equals(asked)) {
        return Optional.empty();
      }
      if (wanted.stream().anyMatch(Coordinates::isMoving) && isOlderThan(DAY, file)) {
        return Optional.empty();
      }
      List<Path> found = new ArrayList<>();
      for (String line : lines.subList(asked.size(), lines.size())) {
        Path library = Path.of(line.substring(line.lastIndexOf('\t') + 1));
        if (!line.equals(facts(library))) {
          return Optional.empty();
        }
        found.add(library);
      }
      return Optional.of(found);
    } catch (IOException | InvalidPathException e) {
      return Optional.empty(); // there is none, it is damaged, or a library is gone
    }
  }

  void keep(List<Coordinates> wanted, MavenPlaces places, List<Path> found) {
    if (directory == null) {
      return;
    }
    try {
      List<String> lines = new ArrayList<>(asked(wanted, places));
      Path file = file(directory, lines);
      for (Path library : found) {
        lines.add(facts(library));
      }
      Files.createDirectories(directory);
      Path draft = Files.createTempFile(directory, "draft", SUFFIX);
      try {
        Files.write(draft, lines);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(draft);
      }
      prune(directory);
    } catch (IOException e) {
      // A full disk, or a directory that is not ours to write: the next run resolves again.
    }
  }

  /// What an answer depends on, a line each. The last line is one that no library's line can be.
  private static List<String> asked(List<Coordinates> wanted, MavenPlaces places)
      throws IOException {
    List<String> lines = new ArrayList<>(List.of(FORMAT));
    wanted.forEach(each -> lines.add(each.toString()));
    lines.add("repository " + places.repository());
    for (Path settings : places.settings()) {
      lines.add(Files.exists(settings) ? facts(settings) : "none\t" + settings);
    }
    lines.add(END);
    return lines;
  }

  /// A file's size, time and name.
  private static String facts(Path file) throws IOException {
    BasicFileAttributes facts = Files.readAttributes(file, BasicFileAttributes.class);
    return facts.size() + "\t" + facts.lastModifiedTime().toInstant() + "\t" + file;
  }

  /// The name only says where to look: two that share it replace each other, and what was asked for is compared.
  private static Path file(Path directory, List<String> asked) {
    CRC32C digest = new CRC32C();
    digest.update(String.join("\n", asked).getBytes(UTF_8));
    return directory.resolve(String.format("%08x", digest.getValue()) + SUFFIX);
  }

  private static boolean isOlderThan(Duration age, Path file) throws IOException {
    return Files.getLastModifiedTime(file).toInstant().isBefore(Instant.now().minus(age));
  }

  private static void prune(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(each -> each.toString().endsWith(SUFFIX)).toList()) {
        if (isOlderThan(LONG_UNUSED, file)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
