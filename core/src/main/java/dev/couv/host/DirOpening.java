// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.PoolThreads;
import dev.couv.loop.SpareThreads;
import dev.couv.uv.UvFs;
import dev.couv.uv.UvFsRequest;
import dev.couv.world.DirHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Opens a directory and reads its first entries, in one go on one thread: libuv would need a way there and back for each of the two.
///
/// So most directories are closed again when this ends, and nothing of them is left to be closed. Another, that nobody
/// takes, is.
final class DirOpening extends BlockingCall<DirHandle> {
  private static final long IDLE_SECONDS = 10;

  /// As many as libuv has for other calls on files. Made when a coroutine needs one: from then on their number is fixed.
  private static final class Threads {
    static final Executor ALL =
        SpareThreads.of(
            PoolThreads.count(),
            IDLE_SECONDS,
            Thread.ofPlatform().daemon().name("couv-directory-", 1));
  }

  private final FileRequest<HostDirectory> opening;
  private final DirHandle.Entries first;

  DirOpening(Path path, Object known, @Nullable EventLoop loop, DirHandle.Entries first) {
    super(task -> Threads.ALL.execute(task), "opendir", known, null, null);
    this.first = first;
    opening =
        Calls.onPath(
                "opendir",
                path,
                UvFs::uv_fs_opendir,
                (request, _) -> HostDirectory.of(known, UvFsRequest.uv_fs_get_ptr(request), loop))
            .named(known);
  }

  @Override
  DirHandle make() throws IOException {
    HostDirectory directory = opening.now();
    directory.readFirst(first);
    return directory;
  }

  @Override
  void release(DirHandle unused) {
    unused.collected(); // not closed: that is for the loop's thread
  }
}
