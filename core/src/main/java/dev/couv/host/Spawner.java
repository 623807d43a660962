// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.EventLoop;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixSpawn;
import java.io.IOException;

/// The ways to start a process.
///
/// libuv's own copies the page tables of the whole VM, lets the child have every descriptor that is not
/// marked, and hears of the child's end by a signal that the JDK resets. The system's `posix_spawn` does
/// none of that, but knows no users and groups.
enum Spawner {
  /// `posix_spawn`, and a pidfd to wait for. Linux.
  POSIX,
  /// `uv_spawn`, and a pidfd to wait for. Linux, for another user or group.
  LIBUV,
  /// `uv_spawn`, and libuv's callback. Other systems, and where a sandbox or an old kernel refuses pidfds.
  LIBUV_ONLY;

  private static final boolean IS_POSIX = PosixSpawn.isAvailable();

  static Spawner forCommand(Command command) {
    if (!IS_POSIX || !PidfdWatch.isAllowed()) {
      return LIBUV_ONLY;
    }
    return command.uid() == null && command.gid() == null ? POSIX : LIBUV;
  }

  /// Starts it; the child will be told of its end. If it throws, nothing runs.
  ExitWatch start(EventLoop loop, Launch launch, Child child) throws IOException {
    return switch (this) {
      case POSIX, LIBUV -> PidfdWatch.open(loop, spawn(loop, launch, child), child);
      case LIBUV_ONLY -> ProcessWatch.spawn(loop, launch, child);
    };
  }

  /// Makes sure that there will be a descriptor to wait for it: a child that has begun its work must not
  /// be killed for the lack of one.
  private int spawn(EventLoop loop, Launch launch, Child child) throws IOException {
    int reserved = PidfdWatch.reserve(child);
    try {
      return this == POSIX ? PosixSpawner.spawn(launch) : ProcessWatch.spawnUnwatched(loop, launch);
    } finally {
      Posix.close(reserved);
    }
  }
}
