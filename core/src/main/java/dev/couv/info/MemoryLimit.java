// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.couv.loop.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What a container of our days may use of the memory: version 2 of Linux's control groups, which libuv asks only since
/// 1.45.
final class MemoryLimit {
  private static final Path GROUPS_OF_THIS_PROCESS = Path.of("/proc/self/cgroup");
  private static final Path ALL_GROUPS = Path.of("/sys/fs/cgroup");

  /// Of the one tree of version 2; those of version 1 have a number and a name.
  private static final String PREFIX = "0::/";

  private MemoryLimit() {}

  /// In bytes; the largest number if nobody says.
  static long now() {
    return of(GROUPS_OF_THIS_PROCESS, ALL_GROUPS);
  }

  /// The least of the limits of the group and those it is in.
  static long of(Path groups, Path all) {
    long least = Long.MAX_VALUE;
    try {
      for (String line :
          Files.readAllLines(groups, ISO_8859_1)) { // byte by byte: a group's name need not be text
        if (line.startsWith(PREFIX)) {
          byte[] name = line.substring(PREFIX.length()).getBytes(ISO_8859_1);
          Path group = all.resolve(PathBytes.path(name)).normalize();
          for (@Nullable Path each = group; each != null && each.startsWith(all); ) {
            least = Math.min(least, limit(each.resolve("memory.max")));
            each = each.getParent();
          }
        }
      }
    } catch (IOException unknown) {
      return least;
    }
    return least;
  }

  private static long limit(Path file) {
    try {
      return Long.parseLong(Files.readString(file).strip());
    } catch (IOException | NumberFormatException none) { // "max", or the root of all
      return Long.MAX_VALUE;
    }
  }
}
