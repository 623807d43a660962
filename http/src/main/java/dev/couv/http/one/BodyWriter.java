// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.ContentWriter;
import dev.couv.http.Headers;
import dev.couv.http.serve.BodyState;
import dev.couv.http.serve.ClientGone;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/// The body of an answer while it is written: in chunks, or, for a client of HTTP/1.0, as it is.
final class BodyWriter implements ContentWriter {
  private static final byte[] LINE_END = {'\r', '\n'};

  private static final Set<String> NOT_BEHIND =
      Set.of(
          KnownNames.CONTENT_LENGTH,
          KnownNames.TRANSFER_ENCODING,
          KnownNames.HOST,
          KnownNames.CONNECTION);

  private final Outflow out;
  private final boolean chunked;
  private Headers trailers = Headers.EMPTY;
  private BodyState state = BodyState.OPEN;

  BodyWriter(Outflow out, boolean chunked) {
    this.out = out;
    this.chunked = chunked;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    state.check();
    int size = bytes.remaining();
    if (size == 0) {
      return; // a chunk without bytes would be the last
    }
    state = state.begin();
    try {
      if (chunked) {
        out.write(ascii(Integer.toHexString(size) + "\r\n"));
      }
      out.write(bytes);
      if (chunked) {
        out.write(LINE_END);
      }
      state = state.done();
    } catch (IOException gone) {
      throw new ClientGone(gone);
    } finally {
      state = state.leave();
    }
  }

  @Override
  public void flush() throws IOException {
    state.check();
    try {
      out.flush();
    } catch (IOException gone) {
      throw new ClientGone(gone);
    }
  }

  @Override
  public void trailer(String name, String value) {
    String small = name.toLowerCase(Locale.ROOT);
    if (NOT_BEHIND.contains(small)) {
      throw new IllegalArgumentException(name + " cannot be behind a body");
    }
    trailers = trailers.plus(name, value);
  }

  /// All of it was written.
  void end() throws IOException {
    state = state.end();
    if (chunked) {
      StringBuilder last = new StringBuilder("0\r\n");
      trailers.forEach(trailer -> last.append(trailer).append("\r\n"));
      out.write(ascii(last.append("\r\n").toString()));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
