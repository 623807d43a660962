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

  private Permissions() {}

  /// The enum's order is that of the bits, from the highest.
  static int bits(Set<PosixFilePermission> permissions) {
    int bits = 0;
    for (PosixFilePermission each : permissions) {
      bits |= 0x100 >> each.ordinal();
    }
    return bits;
  }

  static Set<PosixFilePermission> of(int mode) {
    EnumSet<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (PosixFilePermission each : PosixFilePermission.values()) {
      if ((mode & (0x100 >> each.ordinal())) != 0) {
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
}
