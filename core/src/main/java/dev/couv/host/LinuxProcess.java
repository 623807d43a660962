// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.loop.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What Linux tells a process of itself in files: its name, what it may use of the memory, and its descriptors. Where there
/// are no such files nothing is known.
final class LinuxProcess {
  private static final Path NAME = Path.of("/proc/self/comm");
  private static final int LONGEST_NAME = 15;
  private static final Path GROUPS_OF_THIS_PROCESS = Path.of("/proc/self/cgroup");
  private static final Path ALL_GROUPS = Path.of("/sys/fs/cgroup");

  /// Of the one tree of version 2; those of version 1 have a number and a name.
  private static final String PREFIX = "0::/";

  private LinuxProcess() {}

  static boolean hasName() {
    return Files.exists(NAME);
  }

  static String name() throws IOException {
    return new String(Files.readAllBytes(NAME), UTF_8).strip(); // others may cut it anywhere
  }

  /// The system keeps the first 15 bytes; it is given whole characters.
  static void name(String name) throws IOException {
    byte[] bytes = name.getBytes(UTF_8);
    int length = Math.min(bytes.length, LONGEST_NAME);
    while (length > 0 && length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
      length--; // in the middle of a character
    }
    Files.write(NAME, Arrays.copyOf(bytes, length));
  }

  /// Under which an open file of this process can be opened anew.
  static String path(int descriptor) {
    return "/proc/self/fd/" + descriptor;
  }

  /// What a container of our days may use of the memory, in bytes; the largest number if nobody says. Version 2 of the
  /// control groups, which libuv asks only since 1.45.
  static long memoryLimit() {
    return memoryLimit(GROUPS_OF_THIS_PROCESS, ALL_GROUPS);
  }

  /// The least of the limits of the group and those it is in.
  static long memoryLimit(Path groups, Path all) {
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
