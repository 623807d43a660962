// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The open file descriptors of this process and what each refers to, as the system tells it. Only
/// Linux does; elsewhere there are none to see.
///
/// Left out is what the JDK opens by itself at its own time and keeps: the archives that it loads
/// classes from, also where a build has put others in their places meanwhile, and its sources of
/// randomness. So is the directory that lists the descriptors, open while it is read.
final class Descriptors {
  private static final Path DIRECTORY = Path.of("/proc/self/fd");

  private static final Pattern OF_THE_JDK =
      Pattern.compile(
          ".*\\.(jar|jmod|zip|jsa)( \\(deleted\\))?|.*/lib/modules|.*/ct\\.sym|/dev/u?random");

  private Descriptors() {}

  /// By number.
  static Map<Integer, String> open() {
    Map<Integer, String> open = new TreeMap<>();
    if (!Files.isDirectory(DIRECTORY)) {
      return open;
    }
    String ownListing = "/proc/" + ProcessHandle.current().pid() + "/fd";
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(DIRECTORY)) {
      for (Path entry : entries) {
        String target = target(entry);
        if (!target.isEmpty()
            && !target.equals(ownListing)
            && !OF_THE_JDK.matcher(target).matches()) {
          open.put(Integer.valueOf(entry.getFileName().toString()), target);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return open;
  }

  /// Empty if it was closed in the meantime.
  private static String target(Path entry) {
    try {
      return Files.readSymbolicLink(entry).toString();
    } catch (IOException closed) {
      return "";
    }
  }
}
