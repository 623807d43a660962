// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.PathBytes;
import dev.couv.uv.FileLayouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvFs;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvLoop;
import dev.couv.world.PathEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Asks for the facts of a path again and again, on libuv's threads, and tells what is different.
final class PolledPath extends ObjectHandle {
  private final Path path;
  private final Consumer<PathEvent> told;

  /// What is known of it.
  enum Seen {
    /// Not asked for yet; or there, of which libuv tells nothing the first time.
    NOTHING,
    ABSENT,
    THERE
  }

  private Seen seen = Seen.NOTHING;

  private PolledPath(EventLoop loop, Path path, Consumer<PathEvent> told) {
    super(loop, UvHandle.UV_FS_POLL);
    this.path = path;
    this.told = told;
  }

  static PolledPath open(EventLoop loop, Path path, int millis, Consumer<PathEvent> told)
      throws IOException {
    PolledPath polled = new PolledPath(loop, path, told);
    long name = PathBytes.allocate(path);
    try {
      Failures.checkFile(polled.open(UvFs::uv_fs_poll_init), "watch", path);
      UvLoop.uv_update_time(
          loop.address()); // from which it counts: libuv may not have run for long
      Failures.checkFile(
          UvFs.uv_fs_poll_start(polled.address(), Callbacks.FS_POLL_CB, name, millis),
          "watch",
          path);
      return polled;
    } catch (Throwable failed) {
      polled.close();
      throw failed;
    } finally {
      Memory.free(name);
    }
  }

  @Override
  protected void onResult(int status, long before, long after) {
    Seen last = seen;
    seen = status < 0 ? Seen.ABSENT : Seen.THERE;
    if (status < 0) {
      // Before the first time that it is there, libuv has nothing to compare with.
      boolean neverWas =
          last == Seen.NOTHING && Memory.getLong(before + FileLayouts.STAT_MODE) == 0;
      if (last != Seen.ABSENT && !neverWas) {
        told.accept(PathEvent.DISAPPEARED);
      }
    } else if (last == Seen.ABSENT) {
      told.accept(PathEvent.APPEARED);
    } else {
      told.accept(Stat.isSameContent(before, after) ? PathEvent.ATTRIBUTES : PathEvent.MODIFIED);
    }
  }

  Seen seen() {
    return seen;
  }

  @Override
  public String toString() {
    return "polling " + path;
  }
}
