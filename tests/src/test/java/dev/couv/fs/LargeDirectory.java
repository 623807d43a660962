// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A directory with more entries than come with its opening, so that it stays open, and has to be read again.
final class LargeDirectory {
  private static final int SIZE = 1500;

  /// What comes with the opening.
  private static final int FIRST = 1024;

  private LargeDirectory() {}

  static Path fill(Path dir) throws IOException {
    for (int i = 0; i < SIZE; i++) {
      Files.createFile(dir.resolve("file" + i));
    }
    return dir;
  }

  /// The next entry is not at hand then.
  static void takeFirst(Listing entries) throws IOException {
    for (int i = 0; i < FIRST; i++) {
      assertNotNull(entries.next());
    }
  }

  /// None is lost.
  static void takeRest(Listing entries) throws IOException {
    int count = FIRST;
    while (entries.next() != null) {
      count++;
    }
    assertEquals(SIZE, count);
  }
}
