// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.stream.ByteStream;
import dev.couv.wire.NativeStream;
import dev.couv.world.StreamHandle;

/// This side of a pipe to a child.
final class PipeStream extends NativeStream implements ByteStream {
  PipeStream(StreamHandle handle) {
    super(handle);
  }
}
