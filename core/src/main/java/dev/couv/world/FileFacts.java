// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.time.Instant;

/// What somebody makes of all that is known about a file. The mode has the type and the permissions, with the bits that
/// POSIX gives them; what a system does not know is 0, and the time of creation that of the last change then.
@FunctionalInterface
public interface FileFacts<T> {
  /// Makes it. Quick, no user code: a callback may be what calls it.
  T of(
      long device,
      int mode,
      long links,
      long uid,
      long gid,
      long specialDevice,
      long inode,
      long size,
      long blockBytes,
      long blocks,
      long flags,
      long generation,
      Instant accessed,
      Instant modified,
      Instant changed,
      Instant created);
}
