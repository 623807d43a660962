// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.world.OpenedFile;
import java.io.IOException;
import java.nio.file.Path;

/// Files and directories with names that nobody else has.
final class Temporaries {
  /// With the six letters behind it, a name must not be longer than a file system allows.
  private static final int LONGEST_PREFIX = 249;

  private static final String LETTERS = "XXXXXX";

  private Temporaries() {}

  static Path template(String prefix) {
    return template(Path.of(System.getProperty("java.io.tmpdir", "/tmp")), prefix);
  }

  static Path template(Path parent, String prefix) {
    if (prefix.length() > LONGEST_PREFIX) {
      throw new IllegalArgumentException(
          "prefix too long: " + prefix.length() + " characters, at most " + LONGEST_PREFIX);
    }
    Path name = Path.of(prefix + LETTERS);
    if (name.getNameCount() != 1 || name.isAbsolute()) {
      throw new IllegalArgumentException("the prefix is not part of a name: " + prefix);
    }
    return parent.resolve(name);
  }

  static Path make(Way way, Path template) throws IOException {
    OpenedFile<FileInfo> made = way.make(Way.files().mkstemp(template, FileInfo::new));
    made.file().close();
    return made.path();
  }

  static OpenFile open(Way way, Path template) throws IOException {
    return OpenFile.open(way, Way.files().mkstemp(template, FileInfo::new), false);
  }
}
