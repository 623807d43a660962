// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// Between the JDK's permissions and the nine lowest bits of a mode.
final class Permissions {
  /// Everything that a mode may have beside its type: the nine, set-user, set-group and sticky.
  static final int ALL = 0xFFF;

  /// The nine, and those of them that are the owner's.
  static final int NINE = 0777;

  static final int OWNERS = 0700;

  /// `rw-rw-rw-`, for a file that is made, before the process's mask.
  static final int OF_FILE = 0666;

  /// `rwxrwxrwx`, for a directory that is made, before the process's mask.
  static final int OF_DIRECTORY = 0777;

  private static final long HIGHEST_OWNER = 0xFFFF_FFFEL;

  private Permissions() {}

  private static int bit(PosixFilePermission permission) {
    return switch (permission) {
      case OWNER_READ -> 0400;
      case OWNER_WRITE -> 0200;
      case OWNER_EXECUTE -> 0100;
      case GROUP_READ -> 0040;
      case GROUP_WRITE -> 0020;
      case GROUP_EXECUTE -> 0010;
      case OTHERS_READ -> 0004;
      case OTHERS_WRITE -> 0002;
      case OTHERS_EXECUTE -> 0001;
    };
  }

  static int bits(Set<PosixFilePermission> permissions) {
    int bits = 0;
    for (PosixFilePermission each : permissions) {
      bits |= bit(each);
    }
    return bits;
  }

  static Set<PosixFilePermission> of(int mode) {
    EnumSet<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (PosixFilePermission each : PosixFilePermission.values()) {
      if ((mode & bit(each)) != 0) {
        permissions.add(each);
      }
    }
    return Collections.unmodifiableSet(permissions);
  }

  static int check(int mode) {
    if ((mode & ~ALL) != 0) {
      throw new IllegalArgumentException(
          "no permission bits: " + Integer.toOctalString(mode) + " (octal)");
    }
    return mode;
  }

  /// A user or group, or -1.
  static long checkOwner(long id) {
    if (id < -1 || id > HIGHEST_OWNER) {
      throw new IllegalArgumentException("no user or group: " + id);
    }
    return id;
  }
}
