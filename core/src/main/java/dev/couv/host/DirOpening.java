// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.PathBytes;
import dev.couv.uv.UvDir;
import dev.couv.uv.UvFsRequest;
import dev.couv.world.DirHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Opens a directory to list it; closed again if nobody takes it.
final class DirOpening extends FileRequest<DirHandle> {
  private final Path path;
  private final @Nullable EventLoop loop;

  DirOpening(Path path, @Nullable EventLoop loop) {
    super("opendir", PathBytes.check(path));
    this.path = path;
    this.loop = loop;
  }

  @Override
  int make(long at, long request, long callback) {
    return Calls.withPath(path, UvDir::uv_fs_opendir, at, request, callback);
  }

  @Override
  DirHandle read(long request, long result) {
    long directory = UvFsRequest.uv_fs_get_ptr(request);
    try {
      return new HostDirectory(known(), directory, loop);
    } catch (Throwable noMemory) {
      HostDirectory.closeNow(directory);
      throw noMemory;
    }
  }

  @Override
  void release(DirHandle unused) {
    unused.close();
  }
}
