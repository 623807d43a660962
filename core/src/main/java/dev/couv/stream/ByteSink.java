// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Where bytes go: the half of a [ByteStream] that is written. Writers take turns in the order they came.
public interface ByteSink {
  /// Writes all of the buffers, in order; returns when the kernel has it.
  void write(ByteBuffer... from) throws IOException;

  /// Writes what the kernel takes at once, and returns how many bytes that was; 0 if a writer is
  /// waiting.
  int tryWrite(ByteBuffer from) throws IOException;
}
