// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.Headers;
import dev.couv.http.HttpVersion;
import dev.couv.stream.ByteStream;
import dev.couv.stream.ByteWriter;
import io.netty.handler.codec.http.HttpResponse;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The client's side of a connection that speaks HTTP/1.1: heads go out, heads come in.
public final class ClientLink {
  /// Answers that only announce others (1xx): a server that sends more of them sends nothing else.
  private static final int ANNOUNCEMENTS = 32;

  private final ByteStream stream;
  private final Inflow in;
  private final ResponseDecoder decoder;
  private final List<Object> parts = new ArrayList<>(2);

  /// Of this request: what is not taken at the end of a turn is the business of whoever makes the request, and of his
  /// scope, which the connection may outlive.
  private final ByteWriter out;

  private int announcements;
  private boolean begun;

  /// In the coroutine that makes the first request. Of answers no more than that many bytes in a head, in no more than
  /// that many headers.
  public ClientLink(ByteStream stream, int head, int headers) {
    this.stream = stream;
    this.in = new Inflow(stream);
    this.out = ByteWriter.of(stream);
    this.decoder = new ResponseDecoder(head, headers);
  }

  /// In the coroutine that makes the next request.
  void begin() {
    announcements = 0;
    begun = false;
  }

  ByteWriter writer() {
    return out;
  }

  ByteStream stream() {
    return stream;
  }

  Inflow in() {
    return in;
  }

  ResponseDecoder decoder() {
    return decoder;
  }

  /// Whether something of the answer has come.
  boolean hasBegun() {
    return begun;
  }

  /// Writes the head of a request, whose names and values were checked where they were made.
  public void writeHead(String method, String target, Headers headers) throws IOException {
    StringBuilder head = new StringBuilder(256);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    for (int i = 0; i < headers.size(); i++) {
      head.append(headers.name(i)).append(": ").append(headers.value(i)).append("\r\n");
    }
    out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  /// Waits for the head of the answer to that method: one that is final, or 101.
  ///
  /// @throws EOFException if the connection ends before
  public ResponseHead awaitHead(String method) throws IOException {
    return awaitHead(method, () -> {});
  }

  /// The same, and runs something when the server wants the body (100). Who leaves early may call it again.
  ResponseHead awaitHead(String method, Runnable onContinue) throws IOException {
    while (announcements < ANNOUNCEMENTS) {
      ResponseHead head = awaitAnyHead(method);
      if (head.status() >= 200 || head.status() == 101) {
        return head;
      }
      announcements++;
      if (head.status() == 100) {
        onContinue.run();
      }
    }
    throw new ProtocolException("nothing but announcements");
  }

  private ResponseHead awaitAnyHead(String method) throws IOException {
    decoder.answers(method);
    parts.clear();
    while (true) {
      if (!in.isEmpty()) {
        begun = true;
        decoder.next(in.bytes(), parts);
        if (!parts.isEmpty()) {
          break;
        }
      }
      if (!in.fill()) {
        throw new EOFException(stream + " has ended before its answer");
      }
    }
    HttpResponse response = (HttpResponse) parts.getFirst();
    HttpVersion version =
        response.protocolVersion() == io.netty.handler.codec.http.HttpVersion.HTTP_1_0
            ? HttpVersion.HTTP_1_0
            : HttpVersion.HTTP_1_1;
    return new ResponseHead(
        response.status().code(),
        version,
        ((FieldList) response.headers()).headers(),
        parts.size() == 1);
  }

  /// Puts what came behind the head back into the stream, for another protocol.
  public void giveBack() throws IOException {
    in.giveBack();
  }
}
