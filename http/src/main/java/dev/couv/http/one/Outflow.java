// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.http.Content;
import dev.couv.http.HttpVersion;
import dev.couv.http.Request;
import dev.couv.http.Response;
import dev.couv.stream.ByteStream;
import dev.couv.stream.ByteWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;

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
    return bodyBytes - out.pending();
  }

  /// Whether there is something that the client does not take.
  boolean isStalled() {
    return out.pending() > 0;
  }

  /// Sends an answer. Whether the connection stays as it was meant to: not if the body had no end that the client sees.
  boolean send(Request request, Response response, boolean stays) throws Exception {
    Content content = response.content();
    boolean head = request.method().equals("HEAD");
    boolean empty = head || response.status() == 204 || response.status() == 304;
    boolean old = request.version() == HttpVersion.HTTP_1_0;
    Heads.Then then = !stays ? Heads.Then.CLOSE : old ? Heads.Then.STAY_SAID : Heads.Then.STAY;
    switch (content) {
      case Content.Bytes bytes -> {
        if (empty) {
          length(response, content, head ? bytes.bytes().length : -1, then);
          flushHead();
        } else {
          sendBytes(response, bytes, then);
        }
      }
      case Content.None _ -> {
        length(response, content, 0, then);
        flushHead();
      }
      case Content.FileRange file -> {
        if (empty) {
          length(response, content, head ? file.length() : -1, then);
          flushHead();
        } else {
          sendFile(response, file, then);
        }
      }
      case Content.Streamed streamed -> {
        return sendStream(response, streamed, empty, old, then) && stays;
      }
      case Content.Upgraded _ -> throw new AssertionError("an upgrade is not sent but taken over");
    }
    return stays;
  }

  /// Begins a head. A length below zero is not said.
  private void length(Response response, Content content, long length, Heads.Then then)
      throws IOException {
    makeRoom();
    int status = response.status();
    boolean silent = length < 0 || status == 204 || status == 304;
    heads.head(
        response,
        Heads.type(content),
        silent ? Heads.Framed.WITHOUT : Heads.Framed.LENGTH,
        length,
        then);
  }

  /// The array of the head is everybody's: nobody may wait while it is in use.
  private void makeRoom() throws IOException {
    if (out.pending() > FULL) {
      out.flush();
    }
  }

  private void flushHead() throws IOException {
    if (heads.size() > FULL && out.pending() > 0) {
      byte[] own = java.util.Arrays.copyOf(heads.array(), heads.size());
      heads.used();
      out.write(own);
      return;
    }
    out.write(heads.array(), 0, heads.size());
    heads.used();
  }

  private void sendBytes(Response response, Content.Bytes content, Heads.Then then)
      throws IOException {
    byte[] bytes = content.bytes();
    length(response, content, bytes.length, then);
    if (bytes.length <= SMALL) {
      heads.body(bytes);
      flushHead();
    } else {
      flushHead();
      out.write(ByteBuffer.wrap(bytes));
    }
    bodyBytes += bytes.length;
  }

  private void sendFile(Response response, Content.FileRange content, Heads.Then then)
      throws IOException {
    try (OpenFile file = Fs.open(content.path(), StandardOpenOption.READ)) {
      length(response, content, content.length(), then);
      flushHead();
      out.flush();
      long before = bodyBytes;
      long sent =
          file.sendTo(
              stream, content.offset(), content.length(), count -> bodyBytes = before + count);
      if (sent < content.length()) {
        throw new EOFException(content.path() + " has become shorter");
      }
    }
  }

  private boolean sendStream(
      Response response, Content.Streamed content, boolean empty, boolean old, Heads.Then then)
      throws Exception {
    makeRoom();
    Heads.Framed framed = old ? Heads.Framed.CLOSE : Heads.Framed.CHUNKS;
    heads.head(response, content.type(), framed, -1, old ? Heads.Then.CLOSE : then);
    flushHead();
    if (!empty) {
      BodyWriter body = new BodyWriter(out, !old, count -> bodyBytes += count);
      content.writing().writeTo(body);
      body.end();
    }
    return !old;
  }

  /// The head of an answer after which the connection is another protocol's.
  void upgrade(Response response) throws IOException {
    makeRoom();
    heads.head(response, "", Heads.Framed.WITHOUT, -1, Heads.Then.UPGRADE);
    flushHead();
    out.flush();
  }

  /// The answer to what was no request.
  void refuse(Response response) throws IOException {
    sendBytes(response, (Content.Bytes) response.content(), Heads.Then.CLOSE);
  }

  /// Nothing follows: all that was sent goes to the kernel, and then the end.
  void finish() throws IOException {
    out.flush();
    stream.shutdown();
  }
}
