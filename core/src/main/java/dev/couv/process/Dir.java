// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Memory;
import dev.couv.uv.UvEnv;
import java.io.IOException;
import java.nio.file.Path;

/// The working directory of this process: where native code and children begin, and where the system
/// looks for relative paths. Java's `user.dir` is that of the start, and does not follow: make paths
/// absolute where both are used.
public final class Dir {
  private static final int ROOM = 1 << 16;

  private Dir() {}

  public static Path get() throws IOException {
    long memory = NativeMemory.check(Memory.calloc(1, Long.BYTES + ROOM));
    try {
      Memory.putLong(memory, ROOM);
      Failures.check(UvEnv.uv_cwd(memory + Long.BYTES, memory), "getcwd", "this process");
      return PathBytes.read(memory + Long.BYTES);
    } finally {
      Memory.free(memory);
    }
  }

  /// Changes it, for the whole process. To give a child another one there is [Command#dir].
  ///
  /// @throws java.nio.file.NoSuchFileException if there is no such directory
  public static void set(Path dir) throws IOException {
    long text = PathBytes.allocate(PathBytes.check(dir));
    try {
      int code = UvEnv.uv_chdir(text);
      if (code < 0) {
        throw Failures.ofFile(code, "chdir", dir.toString());
      }
    } finally {
      Memory.free(text);
    }
  }
}
