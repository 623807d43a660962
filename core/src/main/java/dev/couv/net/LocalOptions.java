// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How to listen at a path: how many connections the system keeps waiting; who may connect, which takes
/// the permission to write (null leaves it to the process's `umask`); and whether a socket file that nobody
/// listens at any more is replaced.
public record LocalOptions(
    int backlog, @Nullable Set<PosixFilePermission> permissions, boolean replaceStale) {
  public static final LocalOptions DEFAULT = new LocalOptions(511, null, true);

  public LocalOptions {
    if (backlog < 0) {
      throw new IllegalArgumentException("negative backlog: " + backlog);
    }
    if (permissions != null) {
      permissions = Set.copyOf(permissions);
    }
  }

  public LocalOptions withBacklog(int newBacklog) {
    return new LocalOptions(newBacklog, permissions, replaceStale);
  }

  /// In force before anybody can connect.
  public LocalOptions withPermissions(@Nullable Set<PosixFilePermission> newPermissions) {
    return new LocalOptions(backlog, newPermissions, replaceStale);
  }

  public LocalOptions withReplaceStale(boolean newReplaceStale) {
    return new LocalOptions(backlog, permissions, newReplaceStale);
  }
}
