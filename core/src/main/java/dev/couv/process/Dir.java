// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.PathBytes;
import dev.couv.strand.Suspension;
import java.io.IOException;
import java.nio.file.Path;

/// The working directory of this process: where native code and children begin, and where the system
/// looks for relative paths. Java's `user.dir` is that of the start, and does not follow: make paths
/// absolute where both are used.
public final class Dir {
  private Dir() {}

  /// The directory that the process is in. Any thread.
  public static Path get() throws IOException {
    return Suspension.world().environment().dir();
  }

  /// Changes it, for the whole process. To give a child another one there is [Command#dir].
  ///
  /// @throws java.nio.file.NoSuchFileException if there is no such directory
  public static void set(Path dir) throws IOException {
    Suspension.world().environment().setDir(PathBytes.check(dir));
  }
}
