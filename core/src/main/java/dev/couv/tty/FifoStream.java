// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.wire.NativeStream;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A pipe, opened anew: not to block is then a matter of this stream alone, and not of all who share the
/// pipe's end.
final class FifoStream extends NativeStream implements ByteStream {
  private FifoStream(StreamHandle handle) {
    super(handle);
  }

  /// Null if the system does not open it again: the pipe was made by another user, its other end is
  /// gone, or the system cannot do that at all.
  static @Nullable FifoStream open(EventLoop loop, int descriptor, String name) throws IOException {
    StreamHandle anew = Suspension.world().streams().pipeAnew(loop, descriptor, name);
    return anew == null ? null : new FifoStream(anew);
  }
}
