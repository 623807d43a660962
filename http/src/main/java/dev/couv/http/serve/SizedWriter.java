// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.http.ContentWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Where a body goes whose length was told before it was written: no byte more gets there.
public final class SizedWriter implements ContentWriter {
  private final ContentWriter out;
  private final long length;
  private long left;
  private BodyState state = BodyState.OPEN;

  /// A body of that length, which is written to the other.
  public SizedWriter(ContentWriter out, long length) {
    this.out = out;
    this.length = length;
    this.left = length;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    state.check();
    int size = bytes.remaining();
    if (size > left) {
      throw new IOException("more than the " + length + " bytes that were told");
    }
    state = state.begin();
    try {
      out.write(bytes);
      left -= size;
      state = state.done();
    } finally {
      state = state.leave();
    }
  }

  @Override
  public void flush() throws IOException {
    state.check();
    out.flush();
  }

  @Override
  public void trailer(String name, String value) {
    out.trailer(name, value);
  }

  /// All of it was written.
  ///
  /// @throws EOFException if that is less than was told
  /// @throws IOException if a write was left, or is not over
  public void end() throws IOException {
    state = state.end();
    if (left > 0) {
      throw new EOFException(
          (length - left) + " bytes instead of the " + length + " that were told");
    }
  }
}
