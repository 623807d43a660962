// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;

/// Where children are started.
@FunctionalInterface
public interface Processes {
  /// Finds the program, so that a failure names what is missing, before anything is made.
  ///
  /// @throws java.nio.file.NoSuchFileException if there is no such program, or no such directory
  /// @throws java.nio.file.AccessDeniedException if it may not be run
  Launch prepare(EventLoop loop, Program program) throws IOException;
}
