// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.FileLayouts;
import dev.couv.uv.PosixBytes;
import dev.couv.world.AtOnce;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// From the options of opening to the system's flags.
final class OpenFlags {
  /// A directory itself, not by way of a link.
  static final int PLACE =
      FileLayouts.UV_FS_O_RDONLY | FileLayouts.UV_FS_O_DIRECTORY | FileLayouts.UV_FS_O_NOFOLLOW;

  private static final int MADE = FileLayouts.UV_FS_O_CREAT | FileLayouts.UV_FS_O_EXCL;

  private OpenFlags() {}

  static int of(Set<OpenOption> options) {
    int flags =
        !options.contains(StandardOpenOption.WRITE)
            ? FileLayouts.UV_FS_O_RDONLY
            : options.contains(StandardOpenOption.READ)
                ? FileLayouts.UV_FS_O_RDWR
                : FileLayouts.UV_FS_O_WRONLY;
    for (OpenOption option : options) {
      flags |=
          switch (option) {
            case AtOnce.AT_ONCE -> PosixBytes.O_NONBLOCK;
            case LinkOption.NOFOLLOW_LINKS -> FileLayouts.UV_FS_O_NOFOLLOW;
            case StandardOpenOption.APPEND -> FileLayouts.UV_FS_O_APPEND;
            case StandardOpenOption.TRUNCATE_EXISTING -> FileLayouts.UV_FS_O_TRUNC;
            case StandardOpenOption.CREATE -> FileLayouts.UV_FS_O_CREAT;
            case StandardOpenOption.CREATE_NEW -> MADE;
            case StandardOpenOption.SYNC -> FileLayouts.UV_FS_O_SYNC;
            case StandardOpenOption.DSYNC -> FileLayouts.UV_FS_O_DSYNC;
            default -> 0;
          };
    }
    return flags;
  }

  /// Whether the file must be new.
  static boolean makes(int flags) {
    return (flags & MADE) == MADE;
  }
}
