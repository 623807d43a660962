// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.uv.PosixBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What Linux tells of a descriptor.
record DescriptorFlags(int bits) {
  private static final String LINE = "flags:";
  private static final int OCTAL = 8;
  private static final int O_CLOEXEC = 0x80000;

  /// @throws IOException if it is not open, or the system does not tell
  static DescriptorFlags of(int descriptor) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/fdinfo/" + descriptor))) {
      if (line.startsWith(LINE)) {
        return new DescriptorFlags(Integer.parseInt(line.substring(LINE.length()).strip(), OCTAL));
      }
    }
    throw new IOException("the system does not tell");
  }

  /// Whether it is for reading, for writing or for both.
  int accessMode() {
    return bits & PosixBytes.O_ACCMODE;
  }

  /// Whether it was opened in this process, and by nobody who had children in mind: no descriptor that a process is
  /// started with is so.
  boolean isOfThisProcess() {
    return (bits & O_CLOEXEC) != 0;
  }
}
