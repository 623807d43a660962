// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.stream.NativeStream;
import dev.couv.uv.Posix;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPipe;
import java.io.IOException;

/// This side of a pipe to a child.
final class PipeStream extends NativeStream {
  private final String name;

  private PipeStream(EventLoop loop, String name) {
    super(loop, UvHandle.UV_NAMED_PIPE);
    this.name = name;
  }

  /// A stream over a descriptor, which is its own from now on, also if that fails.
  static PipeStream adopt(EventLoop loop, int descriptor, String name) throws IOException {
    PipeStream stream = null;
    try {
      stream = new PipeStream(loop, name);
      Failures.check(stream.open((at, pipe) -> UvPipe.uv_pipe_init(at, pipe, 0)), "open", name);
      Failures.check(UvPipe.uv_pipe_open(stream.uncheckedAddress(), descriptor), "open", name);
      return stream;
    } catch (Throwable failed) {
      Posix.close(descriptor);
      if (stream != null) {
        stream.close();
      }
      throw failed;
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
