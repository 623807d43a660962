// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Local sockets, as a world has them.
public interface LocalSockets {
  /// How to listen at a name.
  ///
  /// @param backlog how many connections are kept
  /// @param permissions who may connect, before anybody can; null to leave it
  /// @param replaceStale whether a file is replaced at which nobody listens
  record ListenSettings(
      int backlog, @Nullable Set<PosixFilePermission> permissions, boolean replaceStale) {}

  /// Two ends that are connected to each other.
  record Ends(LocalHandle first, LocalHandle second) {}

  /// Waiting to be connected.
  interface Connecting extends Request<LocalHandle> {
    /// When it is complete: whether as many wait there as there may. Then nothing is open, and it is to be tried
    /// again.
    boolean mustWait();
  }

  /// Connects to a name. Nothing begins before it is awaited.
  Connecting connect(EventLoop loop, LocalName to) throws IOException;

  /// Listens at a name.
  LocalListenHandle listen(EventLoop loop, LocalName at, ListenSettings settings)
      throws IOException;

  /// Two ends, connected.
  Ends pair(EventLoop loop) throws IOException;

  /// A connected socket, or the end of a pipe, that this process has by that number: the stream's own from now on, also if
  /// this fails.
  ///
  /// @throws IllegalArgumentException if another stream has it already; then it stays that one's
  LocalHandle adopt(EventLoop loop, int descriptor) throws IOException;
}
