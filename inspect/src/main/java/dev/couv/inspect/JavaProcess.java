// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A JVM as `/proc` shows it: read without its knowing.
final class JavaProcess {
  private static final String LOOP = "dev/couv/coro/Loop.class";

  private final long pid;
  private final Path directory;
  private final List<String> maps;
  private final CommandWords words;

  private JavaProcess(long pid, Path directory, List<String> maps, CommandWords words) {
    this.pid = pid;
    this.directory = directory;
    this.maps = maps;
    this.words = words;
  }

  /// Whether there is anything to read on this system.
  static boolean canRead() {
    return Files.isReadable(Path.of("/proc/self/maps"));
  }

  /// Null if it is no JVM.
  ///
  /// @throws IOException if it cannot be read: it is gone, or another user's
  static @Nullable JavaProcess of(long pid) throws IOException {
    Path directory = Path.of("/proc", Long.toString(pid));
    List<String> maps;
    try (Stream<String> lines = Files.lines(directory.resolve("maps"), UTF_8)) {
      maps = lines.map(JavaProcess::file).filter(JavaProcess::isLibrary).distinct().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (maps.stream().noneMatch(file -> file.endsWith("/libjvm.so"))) {
      return null;
    }
    List<String> command = strings(directory.resolve("cmdline"));
    return new JavaProcess(
        pid,
        directory,
        maps,
        CommandWords.parse(command.isEmpty() ? command : command.subList(1, command.size())));
  }

  private static String file(String line) {
    int slash = line.indexOf('/');
    return slash < 0 ? "" : line.substring(slash).replace(" (deleted)", "");
  }

  /// One that came with the program is in memory, and has no ending.
  private static boolean isLibrary(String file) {
    return file.contains(".so") || fileName(file).startsWith("memfd:libuv");
  }

  private static List<String> strings(Path file) throws IOException {
    String text = new String(Files.readAllBytes(file), UTF_8);
    return text.isEmpty() ? List.of() : List.of(text.split("\0"));
  }

  long pid() {
    return pid;
  }

  CommandWords words() {
    return words;
  }

  /// Whether the VM says nothing when an agent is loaded into it.
  boolean isSilent() {
    if (words.options().contains(CommandWords.SILENT)) {
      return true;
    }
    try {
      return strings(directory.resolve("environ")).stream()
          .filter(
              each -> each.startsWith("JDK_JAVA_OPTIONS=") || each.startsWith("JAVA_TOOL_OPTIONS="))
          .anyMatch(each -> each.contains(CommandWords.SILENT));
    } catch (IOException gone) {
      return false;
    }
  }

  /// Whether it is a program on Couv that has had a loop: libuv is there, and so are Couv's classes. No more can be
  /// known from outside, and a JVM that only has both within reach is as good as none.
  boolean isCouv() {
    return hasLibuv() && (places().stream().anyMatch(JavaProcess::hasCouv) || isInImage());
  }

  /// Whether it may have had a loop: none can be without it.
  boolean hasLibuv() {
    return maps.stream().anyMatch(file -> fileName(file).contains("libuv"));
  }

  private static String fileName(String file) {
    return file.substring(file.lastIndexOf('/') + 1);
  }

  /// A run-time image lists its modules.
  private boolean isInImage() {
    Optional<String> vm = maps.stream().filter(file -> file.endsWith("/libjvm.so")).findFirst();
    if (vm.isEmpty()) {
      return false;
    }
    try {
      Path release = Path.of(vm.get()).resolve("../../../release").normalize();
      return Files.readString(release).matches("(?s).*MODULES=\"[^\"]*\\bdev\\.couv\\b.*");
    } catch (IOException | InvalidPathException none) {
      return false;
    }
  }

  /// The jars that it has open, and what its paths name.
  private List<Path> places() {
    List<Path> places = new ArrayList<>();
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(directory.resolve("fd"))) {
      for (Path descriptor : descriptors) {
        Path file = Files.readSymbolicLink(descriptor);
        if (file.toString().endsWith(".jar")) {
          places.add(file);
        }
      }
    } catch (IOException | DirectoryIteratorException gone) {
      return places;
    }
    for (String word : words.places()) {
      add(word, places);
    }
    return places;
  }

  /// An element of a path: `lib/*` and directories of jars stand for what is in them.
  private void add(String word, List<Path> places) {
    try {
      Path cwd = Files.readSymbolicLink(directory.resolve("cwd"));
      Path place = cwd.resolve(word.endsWith("/*") ? word.substring(0, word.length() - 1) : word);
      places.add(place);
      if (Files.isDirectory(place)) {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(place, "*.jar")) {
          jars.forEach(places::add);
        }
      } else if (word.equals(words.main())) {
        addManifest(place, places);
      }
    } catch (IOException | InvalidPathException | DirectoryIteratorException none) {
      return; // what cannot be read is not known
    }
  }

  private static void addManifest(Path jar, List<Path> places) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      String more = manifest == null ? null : manifest.getMainAttributes().getValue("Class-Path");
      if (more != null) {
        for (String each : more.split(" ", -1)) {
          places.add(jar.resolveSibling(each));
        }
      }
    }
  }

  private static boolean hasCouv(Path place) {
    if (Files.isDirectory(place)) {
      return Files.exists(place.resolve(LOOP));
    }
    if (!Files.isReadable(place) || !place.toString().endsWith(".jar")) {
      return false;
    }
    try (JarFile jar = new JarFile(place.toFile())) {
      return jar.getEntry(LOOP) != null;
    } catch (IOException broken) {
      return false;
    }
  }
}
