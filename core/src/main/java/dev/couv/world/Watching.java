// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/// How changes in the file system are learnt of.
public interface Watching {
  /// The loop's events about directories, of which that one is a member until it leaves.
  ///
  /// @throws UnsupportedOperationException if the system has none
  DirectoryEvents join(EventLoop loop, DirectoryEvents.Member member) throws IOException;

  /// Compares what is known about a path every so often, and tells on the loop's thread what is different. Returns
  /// what ends that.
  Runnable poll(EventLoop loop, Path path, int millis, Consumer<PathEvent> told) throws IOException;
}
