// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.world.DirectoryEvents;
import dev.couv.world.PathEvent;
import dev.couv.world.Watching;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Watching by Linux's inotify, which libuv does not give in full, and by libuv's polling.
final class HostWatching implements Watching {
  @Override
  public DirectoryEvents join(EventLoop loop, DirectoryEvents.Member member) throws IOException {
    return InotifyHandle.join(loop, member);
  }

  @Override
  public Runnable poll(EventLoop loop, Path path, int millis, Consumer<PathEvent> told)
      throws IOException {
    return PolledPath.open(loop, path, millis, told)::close;
  }
}
