// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file that is written when a program has ended: whether it can be is known before that begins.
final class OutputFile {
  private OutputFile() {}

  /// @throws IOException if it cannot be written; its message is the reason, without the file's name
  static void requireWritable(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || Files.isDirectory(file)) {
      throw new IOException("it is a directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new IOException("no directory " + directory);
    }
    if (!Files.isWritable(Files.exists(file) ? file : directory)) {
      throw new IOException("not allowed to write there");
    }
  }
}
