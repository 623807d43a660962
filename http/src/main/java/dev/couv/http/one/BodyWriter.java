// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.ContentWriter;
import dev.couv.http.Headers;
import dev.couv.stream.ByteWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/// The body of an answer while it is written: in chunks, or, for a client of HTTP/1.0, as it is.
final class BodyWriter implements ContentWriter {
  private static final byte[] LINE_END = {'\r', '\n'};

  private final ByteWriter out;
  private final boolean chunked;
  private final LongConsumer count;
  private Headers trailers = Headers.EMPTY;
  private boolean ended;

  BodyWriter(ByteWriter out, boolean chunked, LongConsumer count) {
    this.out = out;
    this.chunked = chunked;
    this.count = count;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    checkOpen();
    int size = bytes.remaining();
    if (size == 0) {
      return; // a chunk without bytes would be the last
    }
    if (chunked) {
      out.write(ascii(Integer.toHexString(size) + "\r\n"));
    }
    out.write(bytes);
    if (chunked) {
      out.write(LINE_END);
    }
    count.accept(size);
  }

  @Override
  public void flush() throws IOException {
    checkOpen();
    out.flush();
  }

  @Override
  public void trailer(String name, String value) {
    checkOpen();
    trailers = trailers.plus(name, value);
  }

  private void checkOpen() {
    if (ended) {
      throw new IllegalStateException("the answer is at its end");
    }
  }

  /// All of it was written.
  void end() throws IOException {
    ended = true;
    if (chunked) {
      StringBuilder last = new StringBuilder("0\r\n");
      trailers.forEach(
          trailer ->
              last.append(trailer.name()).append(": ").append(trailer.value()).append("\r\n"));
      out.write(ascii(last.append("\r\n").toString()));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
