// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.wire.NativeStream;
import dev.couv.world.StreamHandle;
import java.io.IOException;

/// This side of a pipe to a child.
final class PipeStream extends NativeStream implements ByteStream {
  private PipeStream(StreamHandle handle) {
    super(handle);
  }

  /// A stream over a descriptor, which is its own from now on, also if that fails.
  static PipeStream adopt(EventLoop loop, int descriptor, String name) throws IOException {
    return new PipeStream(Suspension.world().streams().pipe(loop, descriptor, name));
  }
}
