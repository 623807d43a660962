// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.loop.DescriptorFlags;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.stream.NativeStream;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.UvFs;
import dev.couv.uv.UvFsRequest;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPipe;
import dev.couv.uv.UvRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A pipe, opened anew: not to block is then a matter of this stream alone, and not of all who share the
/// pipe's end.
final class FifoStream extends NativeStream {
  private static final int REQUEST_SIZE = Math.toIntExact(UvRequest.uv_req_size(UvRequest.UV_FS));

  private final String name;

  private FifoStream(EventLoop loop, String name) {
    super(loop, UvHandle.UV_NAMED_PIPE);
    this.name = name;
  }

  /// Null if the system does not open it again: the pipe was made by another user, its other end is
  /// gone, or the system cannot do that at all.
  static @Nullable FifoStream open(EventLoop loop, int descriptor, String name) throws IOException {
    int anew;
    try {
      anew = reopen(descriptor);
    } catch (IOException unknown) {
      return null;
    }
    if (anew < 0) {
      return null;
    }
    FifoStream stream = null;
    try {
      stream = new FifoStream(loop, name);
      Failures.check(stream.open((at, pipe) -> UvPipe.uv_pipe_init(at, pipe, 0)), "open", name);
      Failures.check(UvPipe.uv_pipe_open(stream.uncheckedAddress(), anew), "open", name);
      return stream;
    } catch (Throwable failed) {
      Posix.close(anew);
      if (stream != null) {
        stream.close();
      }
      throw failed;
    }
  }

  /// Without waiting for the other end. A descriptor, or libuv's code.
  private static int reopen(int descriptor) throws IOException {
    int flags = DescriptorFlags.of(descriptor).accessMode() | PosixBytes.O_NONBLOCK;
    long request = NativeMemory.allocate(REQUEST_SIZE);
    long path = 0;
    try {
      path = NativeMemory.check(Memory.newString("/proc/self/fd/" + descriptor));
      int code = UvFs.uv_fs_open(0, request, path, flags, 0, 0);
      UvFsRequest.uv_fs_req_cleanup(request);
      return code;
    } finally {
      NativeMemory.free(request, REQUEST_SIZE);
      Memory.free(path);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
