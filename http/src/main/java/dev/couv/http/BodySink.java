// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Where bytes go: a file, a stream, the body of an answer. `stream::write` is one.
@FunctionalInterface
public interface BodySink {
  /// Takes all of the buffer, and waits until there is room for it.
  void write(ByteBuffer bytes) throws IOException;
}
