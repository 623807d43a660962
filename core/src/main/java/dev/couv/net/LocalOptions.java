// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.world.LocalSockets;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How to listen at a path.
///
/// @param backlog how many connections the system keeps waiting
/// @param permissions who may connect, which takes the permission to write; null leaves it to the process's `umask`
/// @param replaceStale whether a socket file that nobody listens at any more is replaced
public record LocalOptions(
    int backlog, @Nullable Set<PosixFilePermission> permissions, boolean replaceStale) {
  /// 511 connections wait, who may connect is left to the `umask`, and a stale file is replaced.
  public static final LocalOptions DEFAULT = new LocalOptions(511, null, true);

  /// Refuses a negative backlog.
  public LocalOptions {
    if (backlog < 0) {
      throw new IllegalArgumentException("negative backlog: " + backlog);
    }
    if (permissions != null) {
      permissions = Set.copyOf(permissions);
    }
  }

  /// The system keeps that many connections waiting.
  public LocalOptions withBacklog(int newBacklog) {
    return new LocalOptions(newBacklog, permissions, replaceStale);
  }

  /// Who may connect, in force before anybody can; null leaves it to the process's `umask`.
  public LocalOptions withPermissions(@Nullable Set<PosixFilePermission> newPermissions) {
    return new LocalOptions(backlog, newPermissions, replaceStale);
  }

  /// A socket file that nobody listens at any more is replaced, or in the way.
  public LocalOptions withReplaceStale(boolean newReplaceStale) {
    return new LocalOptions(backlog, permissions, newReplaceStale);
  }

  LocalSockets.ListenSettings settings() {
    return new LocalSockets.ListenSettings(backlog, permissions, replaceStale);
  }
}
