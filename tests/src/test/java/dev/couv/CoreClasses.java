// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import dev.couv.error.ClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The class files of the core, from wherever the tests have them: for tests of how it is built.
final class CoreClasses {
  private CoreClasses() {}

  static List<ClassModel> all() throws IOException {
    Path place = place();
    if (Files.isDirectory(place)) {
      return below(place.resolve("dev/couv"));
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return below(jar.getPath("/dev/couv"));
    }
  }

  /// Those of a directory, with all below it.
  static List<ClassModel> below(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .filter(file -> !file.toString().endsWith("-info.class"))
          .map(CoreClasses::parse)
          .toList();
    }
  }

  private static ClassModel parse(Path file) {
    try {
      return ClassFile.of().parse(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path place() {
    try {
      return Path.of(
          ClosedException.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
