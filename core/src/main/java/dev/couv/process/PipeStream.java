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
    PipeStream stream;
    try {
      stream = new PipeStream(loop, name);
    } catch (Throwable none) { // no memory
      Posix.close(descriptor);
      throw none;
    }
    int code = stream.opened(UvPipe.uv_pipe_init(loop.address(), stream.uncheckedAddress(), 0));
    if (code < 0) {
      Posix.close(descriptor);
      throw Failures.of(code, "open", name);
    }
    code = UvPipe.uv_pipe_open(stream.uncheckedAddress(), descriptor);
    if (code < 0) {
      stream.close();
      Posix.close(descriptor);
      throw Failures.of(code, "open", name);
    }
    return stream;
  }

  @Override
  public String toString() {
    return name;
  }
}
