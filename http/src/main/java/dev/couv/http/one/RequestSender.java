// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.error.UvException;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.http.Content;
import dev.couv.http.ContentWriter;
import dev.couv.http.Headers;
import dev.couv.http.serve.BodyState;
import dev.couv.http.serve.SizedWriter;
import dev.couv.stream.ByteWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The body of a request on its way.
final class RequestSender {
  private static final byte[] LINE_END = {'\r', '\n'};

  private final ClientLink link;
  private final ByteWriter out;
  private long sent;
  private @Nullable IOException refused;

  RequestSender(ClientLink link) {
    this.link = link;
    this.out = link.writer();
  }

  /// A number that changes while the server takes something.
  long progress() {
    return sent - out.pending();
  }

  /// Whether it is the server that takes nothing more: then it may have answered all the same.
  boolean isRefused(IOException failure) {
    return refused != null // also if who writes has made another failure of it
        || (failure instanceof UvException system
            && (system.code().equals("EPIPE") || system.code().equals("ECONNRESET")));
  }

  private void write(ByteBuffer bytes) throws IOException {
    try {
      out.write(bytes);
    } catch (IOException gone) {
      refused = gone;
      throw gone;
    }
  }

  void send(Content content) throws Exception {
    switch (content) {
      case Content.None _, Content.Upgraded _ -> {}
      case Content.Bytes bytes -> sendBytes(bytes.bytes());
      case Content.FileRange file -> {
        try (OpenFile opened = Fs.openRegular(file.path())) {
          sendFile(opened, file.offset(), file.length());
        }
      }
      case Content.OpenRange file -> sendFile(file.file(), file.offset(), file.length());
      case Content.Streamed streamed when streamed.length() >= 0 -> {
        SizedWriter sized = new SizedWriter(new Body(), streamed.length());
        streamed.writing().writeTo(sized);
        sized.end();
      }
      case Content.Streamed streamed -> {
        Chunks chunks = new Chunks();
        streamed.writing().writeTo(chunks);
        chunks.end();
      }
    }
    out.flush();
  }

  /// In pieces, so that one sees them go.
  private void sendBytes(byte[] bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      int count = Math.min(left.remaining(), 1 << 16);
      write(left.slice(left.position(), count));
      left.position(left.position() + count);
      sent += count;
    }
  }

  private void sendFile(OpenFile file, long offset, long length) throws IOException {
    out.flush();
    long count = file.sendTo(link.stream(), offset, length, so -> sent = Math.max(sent, so));
    if (count < length) {
      throw new EOFException(file + " has become shorter");
    }
  }

  /// The body as it is, while it is written.
  private final class Body implements ContentWriter {
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      int size = bytes.remaining();
      RequestSender.this.write(bytes);
      sent += size;
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void trailer(String name, String value) {
      throw new IllegalArgumentException("only a body in chunks has something behind it");
    }
  }

  /// The body in chunks, while it is written.
  private final class Chunks implements ContentWriter {
    private Headers trailers = Headers.EMPTY;
    private BodyState state = BodyState.OPEN;

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      state.check();
      int size = bytes.remaining();
      if (size > 0) { // a chunk without bytes would be the last
        state = state.begin();
        try {
          writeChunk(bytes, size);
          state = state.done();
        } finally {
          state = state.leave();
        }
      }
    }

    private void writeChunk(ByteBuffer bytes, int size) throws IOException {
      RequestSender.this.write(ascii(Integer.toHexString(size) + "\r\n"));
      RequestSender.this.write(bytes);
      RequestSender.this.write(ByteBuffer.wrap(LINE_END));
      sent += size;
    }

    @Override
    public void flush() throws IOException {
      state.check();
      out.flush();
    }

    @Override
    public void trailer(String name, String value) {
      if (state == BodyState.ENDED) {
        throw new IllegalStateException("the body is at its end");
      }
      if (name.equalsIgnoreCase(KnownNames.CONTENT_LENGTH)
          || name.equalsIgnoreCase(KnownNames.TRANSFER_ENCODING)
          || name.equalsIgnoreCase(KnownNames.HOST)) {
        throw new IllegalArgumentException(name + " cannot be behind a body");
      }
      trailers = trailers.plus(name, value);
    }

    void end() throws IOException {
      state = state.end();
      StringBuilder last = new StringBuilder("0\r\n");
      for (int i = 0; i < trailers.size(); i++) {
        last.append(trailers.name(i)).append(": ").append(trailers.value(i)).append("\r\n");
      }
      RequestSender.this.write(ascii(last.append("\r\n").toString()));
    }
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
