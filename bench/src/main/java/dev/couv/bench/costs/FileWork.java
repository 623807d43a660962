// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.costs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How often a thing is done with files of a size, and what must be there before. `bench/c/files.c` and `bench/peers/files.js` have the same numbers.
final class FileWork {
  private static final int FILES_IN_A_DIRECTORY = 10;

  private FileWork() {}

  static int times(int bytes) {
    return bytes > 100_000 ? 2_000 : 20_000;
  }

  static int listings(int entries) {
    return 1_000_000 / entries;
  }

  static int copies(int files) {
    return 10_000 / files;
  }

  static void fill(Path directory, int files, int bytes) throws IOException {
    for (int i = 0; i < files; i++) {
      Files.write(directory.resolve("entry-" + i), new byte[bytes]);
    }
  }

  /// So many files of 4 KiB, ten in a directory.
  static Path tree(Path place, int files) throws IOException {
    Path tree = Files.createDirectory(place.resolve("tree"));
    for (int i = 0; i < files / FILES_IN_A_DIRECTORY; i++) {
      fill(Files.createDirectory(tree.resolve("directory-" + i)), FILES_IN_A_DIRECTORY, 4096);
    }
    return tree;
  }
}
