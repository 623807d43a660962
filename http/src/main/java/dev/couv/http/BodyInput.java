// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/// A body for code that knows only `InputStream`.
final class BodyInput extends InputStream {
  private final HttpBody body;

  BodyInput(HttpBody body) {
    this.body = body;
  }

  @Override
  public int read() throws IOException {
    ByteBuffer one = ByteBuffer.allocate(1);
    return body.read(one) < 0 ? -1 : one.get(0) & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    return length == 0 ? 0 : body.read(ByteBuffer.wrap(into, offset, length));
  }
}
