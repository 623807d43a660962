// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.uv.FileLayouts;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// From the JDK's options of opening to the system's flags. Without any, a file is opened for
/// reading.
final class OpenFlags {
  private static final Set<OpenOption> WRITING =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND);

  private OpenFlags() {}

  static int of(OpenOption... options) {
    Set<OpenOption> set = new HashSet<>(List.of(options));
    boolean append = set.contains(StandardOpenOption.APPEND);
    boolean writes = set.stream().anyMatch(WRITING::contains);
    boolean reads = set.contains(StandardOpenOption.READ) || !writes;
    if (append && set.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
      throw new IllegalArgumentException("APPEND and TRUNCATE_EXISTING exclude each other");
    }
    int flags =
        writes
            ? reads ? FileLayouts.UV_FS_O_RDWR : FileLayouts.UV_FS_O_WRONLY
            : FileLayouts.UV_FS_O_RDONLY;
    for (OpenOption option : set) {
      flags |= flag(option, writes);
    }
    return flags;
  }

  /// For those who are about to write, and need not say so.
  static int ofWriting(OpenOption... options) {
    OpenOption[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = StandardOpenOption.WRITE;
    if (List.of(options).contains(StandardOpenOption.READ)) {
      throw new IllegalArgumentException("READ: this only writes");
    }
    return of(all);
  }

  private static int flag(OpenOption option, boolean writes) {
    if (option == LinkOption.NOFOLLOW_LINKS) {
      return FileLayouts.UV_FS_O_NOFOLLOW;
    }
    if (!(option instanceof StandardOpenOption standard)) {
      throw new IllegalArgumentException("no option of opening a file: " + option);
    }
    return switch (standard) {
      case READ, WRITE, SPARSE -> 0;
      case APPEND -> FileLayouts.UV_FS_O_APPEND;
      // As in the JDK, these mean nothing to one who only reads.
      case TRUNCATE_EXISTING -> writes ? FileLayouts.UV_FS_O_TRUNC : 0;
      case CREATE -> writes ? FileLayouts.UV_FS_O_CREAT : 0;
      case CREATE_NEW -> writes ? FileLayouts.UV_FS_O_CREAT | FileLayouts.UV_FS_O_EXCL : 0;
      case SYNC -> FileLayouts.UV_FS_O_SYNC;
      case DSYNC -> FileLayouts.UV_FS_O_DSYNC;
      case DELETE_ON_CLOSE ->
          throw new IllegalArgumentException(
              "DELETE_ON_CLOSE: remove the file when it is open, or after closing it");
    };
  }
}
