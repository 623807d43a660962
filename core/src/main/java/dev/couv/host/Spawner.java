// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

/// The ways to start a process.
///
/// libuv's own copies the page tables of the whole VM, lets the child have every descriptor that is not
/// marked, and hears of the child's end by a signal that the JDK resets. The system's `posix_spawn` does
/// none of that, but knows no users and groups.
public enum Spawner {
  /// `posix_spawn`, and a pidfd to wait for. Linux.
  POSIX,
  /// `uv_spawn`, and a pidfd to wait for. Linux, for another user or group.
  LIBUV,
  /// `uv_spawn`, and libuv's callback. Other systems, and where a sandbox or an old kernel refuses pidfds.
  LIBUV_ONLY
}
