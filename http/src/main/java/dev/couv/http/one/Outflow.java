// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.fs.OpenFile;
import dev.couv.http.Content;
import dev.couv.http.HttpVersion;
import dev.couv.http.Request;
import dev.couv.http.Response;
import dev.couv.http.serve.Answers;
import dev.couv.http.serve.Torn;
import dev.couv.stream.ByteStream;
import dev.couv.stream.ByteWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The answers of a connection on their way.
final class Outflow {
  /// What is put together with its head, in one piece.
  private static final int SMALL = 1 << 12;

  /// The writer waits when it holds 64 KiB; a head that is put into it below this does not.
  private static final int FULL = 1 << 15;

  private final ByteStream stream;
  private final ByteWriter out;
  private final Heads heads;

  private long bodyBytes;

  /// Whether the head of the answer that was sent last, or is being sent, has left.
  private boolean begun;

  /// What the writer does not hold, but waits for the client to take.
  private @Nullable ByteBuffer large;

  /// The file that is being sent.
  private @Nullable OpenFile file;

  Outflow(ByteStream stream, ByteWriter out, Heads heads) {
    this.stream = stream;
    this.out = out;
    this.heads = heads;
  }

  ByteWriter writer() {
    return out;
  }

  /// Of all bodies so far.
  long bodyBytes() {
    return bodyBytes;
  }

  /// A number that changes while the client takes something.
  long progress() {
    ByteBuffer here = large;
    return bodyBytes - out.pending() + (here == null ? 0 : here.position());
  }

  /// Whether there is something that the client does not take.
  boolean isStalled() {
    return out.pending() > 0 || large != null || file != null;
  }

  /// Whether something of the answer that is being sent has left: without the rest it is torn.
  boolean hasBegun() {
    return begun;
  }

  // ---- answers

  /// Sends an answer, whose file is open, if that is its body; `stays` is whether another answer may follow on this
  /// connection. Whether it is so: not if the body has no end that the client sees.
  ///
  /// @throws Torn if who makes the body has failed
  boolean send(Request request, Response response, boolean stays) throws IOException {
    boolean old = request.version() == HttpVersion.HTTP_1_0;
    Heads.Then then = !stays ? Heads.Then.CLOSE : old ? Heads.Then.STAY_SAID : Heads.Then.STAY;
    if (!Answers.sendsBody(request, response)) {
      sendHead(response, old, then);
      return stays;
    }
    switch (response.content()) {
      case Content.Bytes bytes -> sendBytes(response, bytes, then);
      case Content.None _ -> sendHead(response, old, then);
      case Content.OpenRange range -> sendFile(response, range, then);
      case Content.Streamed streamed -> {
        sendStream(response, streamed, old, then);
        return stays && (!old || streamed.length() >= 0);
      }
      case Content.FileRange _ -> throw new AssertionError("a file is opened before");
      case Content.Upgraded _ -> throw new AssertionError("an upgrade is not sent but taken over");
    }
    return stays;
  }

  /// A head alone, which says of the body what it would say with it.
  private void sendHead(Response response, boolean old, Heads.Then then) throws IOException {
    int status = response.status();
    long length = Answers.length(response.content());
    Heads.Framed framed = Heads.Framed.LENGTH;
    if (status == 204 || status == 304) {
      framed = Heads.Framed.WITHOUT;
    } else if (status == 205) {
      length = 0;
    } else if (length < 0) {
      framed = old ? Heads.Framed.WITHOUT : Heads.Framed.CHUNKS;
    }
    begin(response, framed, length, then);
    writeHead();
  }

  private void sendBytes(Response response, Content.Bytes content, Heads.Then then)
      throws IOException {
    byte[] bytes = content.bytes();
    begin(response, Heads.Framed.LENGTH, bytes.length, then);
    if (bytes.length <= SMALL) {
      heads.body(bytes);
      writeHead();
      bodyBytes += bytes.length;
    } else {
      writeHead();
      write(ByteBuffer.wrap(bytes));
    }
  }

  /// With its head in front, so that both can go in the same packets.
  private void sendFile(Response response, Content.OpenRange content, Heads.Then then)
      throws IOException {
    begin(response, Heads.Framed.LENGTH, content.length(), then);
    // A copy: others put their heads together while this one waits.
    ByteBuffer head = ByteBuffer.wrap(Arrays.copyOf(heads.array(), heads.size()));
    heads.used();
    try {
      file = content.file();
      out.flush();
      begun = true;
      long before = bodyBytes;
      long sent =
          content
              .file()
              .sendTo(
                  stream,
                  head,
                  content.offset(),
                  content.length(),
                  count -> bodyBytes = before + count);
      bodyBytes = before + sent;
      if (sent < content.length()) {
        throw new Torn(new EOFException(content.file() + " has become shorter"));
      }
    } finally {
      file = null;
    }
  }

  private void sendStream(Response response, Content.Streamed content, boolean old, Heads.Then then)
      throws IOException {
    long length = content.length();
    if (length >= 0) {
      begin(response, Heads.Framed.LENGTH, length, then);
    } else if (old) {
      begin(response, Heads.Framed.CLOSE, 0, Heads.Then.CLOSE);
    } else {
      begin(response, Heads.Framed.CHUNKS, 0, then);
    }
    writeHead();
    BodyWriter body = new BodyWriter(this, length < 0 && !old);
    Answers.write(content, body);
    body.end();
  }

  /// The head of an answer after which the connection is another protocol's.
  void upgrade(Response response) throws IOException {
    begin(response, Heads.Framed.WITHOUT, 0, Heads.Then.UPGRADE);
    writeHead();
    out.flush();
  }

  /// The answer to what was no request.
  void refuse(Response response) throws IOException {
    sendBytes(response, (Content.Bytes) response.content(), Heads.Then.CLOSE);
  }

  // ---- bytes

  /// Puts a head together. The array of it is everybody's: nobody waits from here until it is written.
  private void begin(Response response, Heads.Framed framed, long length, Heads.Then then)
      throws IOException {
    begun = false;
    if (out.pending() > FULL) {
      out.flush();
    }
    heads.head(response, Answers.type(response.content()), framed, length, then);
  }

  private void writeHead() throws IOException {
    byte[] array = heads.array();
    int size = heads.size();
    if (size > FULL && out.pending() > 0) {
      array = Arrays.copyOf(array, size); // the writer waits for room
    }
    heads.used();
    out.write(array, 0, size);
    begun = true;
  }

  /// A part of a body.
  void write(ByteBuffer bytes) throws IOException {
    int size = bytes.remaining();
    large = bytes;
    try {
      out.write(bytes);
    } finally {
      large = null;
    }
    bodyBytes += size;
  }

  /// What frames a body.
  void write(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  void flush() throws IOException {
    out.flush();
  }

  /// Nothing follows: all that was sent goes to the kernel, and then the end.
  void finish() throws IOException {
    out.flush();
    stream.shutdown();
  }
}
