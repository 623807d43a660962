// SPDX-License-Identifier: Apache-2.0
package dev.couv.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reading what is only passed on: in a buffer that the streams of a loop share.
public final class Transfers {
  private Transfers() {}

  /// Waits for bytes and returns what has arrived, null at the end of the stream: to be given back by [#done], before which nobody else reads.
  public static @Nullable ByteBuffer read(NativeStream from) throws IOException {
    return from.beginTransfer();
  }

  /// The bytes are elsewhere, or back in their stream: the buffer is not touched any more.
  public static void done(NativeStream from, @Nullable ByteBuffer bytes) {
    from.endTransfer();
    if (bytes != null && bytes.isDirect()) {
      from.handle().loop().transfers().give(bytes);
    }
  }
}
