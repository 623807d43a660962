// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.stream.ByteStream;
import dev.couv.wire.NativeStream;
import dev.couv.world.StreamHandle;

/// A pipe, opened anew: not to block is then a matter of this stream alone, and not of all who share the
/// pipe's end.
final class FifoStream extends NativeStream implements ByteStream {
  FifoStream(StreamHandle handle) {
    super(handle);
  }
}
