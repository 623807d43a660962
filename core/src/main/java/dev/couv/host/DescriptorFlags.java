// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.PosixBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// What Linux tells of a descriptor.
///
/// A process can be started without one of the standard streams. Then the VM, which takes the lowest number that is free,
/// has put a file of its own in its place: nothing to read as input, still less to write to, and nothing for a child.
record DescriptorFlags(int bits) {
  private static final String LINE = "flags:";
  private static final int OCTAL = 8;
  private static final int O_CLOEXEC = 0x80000;

  /// Opened before anything else, and not marked as the other files of the VM are.
  private static final Path MODULES = Path.of(System.getProperty("java.home"), "lib", "modules");

  /// Asked once: it does not change, and costs some files to be read.
  private static final boolean[] MISSING = {
    isClosedOrOfTheVm(0), isClosedOrOfTheVm(1), isClosedOrOfTheVm(2)
  };

  /// Of an open one.
  ///
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

  /// Whether it is a standard descriptor that was not there when the process was started.
  static boolean isMissing(int descriptor) {
    return descriptor < MISSING.length && MISSING[descriptor];
  }

  private static boolean isClosedOrOfTheVm(int descriptor) {
    try {
      return of(descriptor).isOfThisProcess()
          || Files.isSameFile(Path.of("/proc/self/fd/" + descriptor), MODULES);
    } catch (NoSuchFileException closed) {
      return Files.exists(Path.of("/proc/self/fd"));
    } catch (IOException unknown) {
      return false;
    }
  }

  /// Whether it was opened in this process, and by nobody who had children in mind: no descriptor that a process is
  /// started with is so.
  private boolean isOfThisProcess() {
    return (bits & O_CLOEXEC) != 0;
  }
}
