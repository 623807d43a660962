// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.fs.OpenFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// An answer: a status, headers, and a body. It does not change: `with…` makes another one.
///
/// ```java
/// return Response.text("hello").withHeader("Cache-Control", "no-store");
/// ```
///
/// How the body is framed (`Content-Length`, `Transfer-Encoding`, `Connection`) is the connection's business: such headers
/// are refused here. `Date` and, if the options name one, `Server` are added unless they are there.
public final class Response {
  private static final String TEXT = "text/plain; charset=utf-8";

  private final int status;
  private final Headers headers;
  private final Content content;

  /// Closed when it is over; the last that was named first.
  private final List<AutoCloseable> closing;

  private Response(int status, Headers headers, Content content) {
    this(status, headers, content, List.of());
  }

  private Response(int status, Headers headers, Content content, List<AutoCloseable> closing) {
    this.status = status;
    this.headers = headers;
    this.content = content;
    this.closing = closing;
  }

  /// An answer without a body.
  ///
  /// @throws IllegalArgumentException if there is no such status: they are from 200 to 599
  public static Response of(int status) {
    return new Response(checkStatus(status), Headers.EMPTY, Content.NONE);
  }

  /// Text, in UTF-8.
  public static Response text(String text) {
    return bytes(TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /// HTML, in UTF-8.
  public static Response html(String html) {
    return bytes("text/html; charset=utf-8", html.getBytes(StandardCharsets.UTF_8));
  }

  /// JSON that somebody has written already.
  public static Response json(String json) {
    return bytes("application/json", json.getBytes(StandardCharsets.UTF_8));
  }

  /// Bytes of that media type. The array is not copied: leave it alone from then on.
  public static Response bytes(String type, byte... bytes) {
    return new Response(200, Headers.EMPTY, new Content.Bytes(type, bytes));
  }

  /// A part of a file, which must have it when it is sent.
  public static Response file(String type, Path path, long offset, long length) {
    return new Response(200, Headers.EMPTY, new Content.FileRange(type, path, offset, length));
  }

  /// A part of an open file, which must have it when it is sent, and which is closed with the answer.
  public static Response file(String type, OpenFile file, long offset, long length) {
    Content content = new Content.OpenRange(type, file, offset, length);
    return new Response(200, Headers.EMPTY, content, List.of(file));
  }

  /// A body that is written while it is sent, and has so many bytes, neither more nor fewer: the client is told.
  public static Response stream(String type, long length, Content.Writing writing) {
    if (length < 0) {
      throw new IllegalArgumentException("a body of " + length + " bytes");
    }
    return new Response(200, Headers.EMPTY, new Content.Streamed(type, length, writing));
  }

  /// A body that is written while it is sent, of any length: in the connection's coroutine, after the handler has
  /// returned.
  public static Response stream(String type, Content.Writing writing) {
    return new Response(200, Headers.EMPTY, new Content.Streamed(type, writing));
  }

  /// Events for the browser's `EventSource`, for as long as the body runs.
  ///
  /// Over HTTP/1.1 a client that leaves while the body waits for something else is not noticed before something is sent to it: send something now
  /// and then.
  public static Response events(ServerEvents.Source source) {
    Objects.requireNonNull(source, "source");
    return unstored(out -> ServerEvents.send(source, out));
  }

  /// Events for the browser's `EventSource`, with a line that browsers ignore after so much silence: so a client that has left is noticed, and the
  /// body cancelled. It runs in a coroutine of its own.
  ///
  /// @throws IllegalArgumentException if that time is not positive
  public static Response events(Duration silence, ServerEvents.Source source) {
    if (silence.isNegative() || silence.isZero()) {
      throw new IllegalArgumentException("a time of " + silence);
    }
    Objects.requireNonNull(source, "source");
    return unstored(out -> ServerEvents.send(source, silence, out));
  }

  private static Response unstored(Content.Writing writing) {
    return stream("text/event-stream", writing).withHeader("Cache-Control", "no-store");
  }

  /// The answer 101: the connection goes on in another protocol, which has to be one the client asked for in HTTP/1.1, once the
  /// body of its request was read. Those are the headers, `Upgrade` among them.
  ///
  /// A client that did not ask is answered 426; an upgrade over a body that was not read is a failure of the handler's, 500.
  public static Response upgrade(String protocol, Headers headers, Content.Takeover takeover) {
    Response response = new Response(101, headers, new Content.Upgraded(takeover));
    return response.withHeader("Upgrade", protocol);
  }

  /// The client is to look there instead: 302, unless the status is changed.
  public static Response redirect(String location) {
    return of(302).withHeader("Location", location);
  }

  /// With that status.
  ///
  /// @throws IllegalArgumentException if there is no such status: they are from 200 to 599
  public Response withStatus(int newStatus) {
    return new Response(checkStatus(newStatus), headers, content, closing);
  }

  /// With that header, in place of those of the same name.
  ///
  /// @throws IllegalArgumentException if it cannot be one, or is one of those that say how the body is framed
  public Response withHeader(String name, String value) {
    Framing.refuse(name);
    return new Response(status, headers.with(name, value), content, closing);
  }

  /// With that header, after those of the same name: for `Set-Cookie`.
  ///
  /// @throws IllegalArgumentException if it cannot be one, or is one of those that say how the body is framed
  public Response plusHeader(String name, String value) {
    Framing.refuse(name);
    return new Response(status, headers.plus(name, value), content, closing);
  }

  /// With that cookie, which the browser is to keep (`Set-Cookie`), after others.
  ///
  /// @throws IllegalArgumentException if browsers would not keep it: one that must be secure, by its name or [SameSite#NONE], and is not
  public Response withCookie(Cookie cookie) {
    return plusHeader("Set-Cookie", cookie.header());
  }

  /// With those headers, each in place of those of the same name; what is there several times comes several times.
  ///
  /// @throws IllegalArgumentException if one of them says how the body is framed
  public Response withHeaders(Headers others) {
    others.forEach(header -> Framing.refuse(header.name()));
    return new Response(status, headers.with(others), content, closing);
  }

  /// And that is closed when the answer is over, however that comes: when it was sent, could not be, or had no body to be sent, as for `HEAD`. What was
  /// named last is closed first. A failure to close is told as one of the handler's.
  public Response closing(AutoCloseable resource) {
    List<AutoCloseable> all = new ArrayList<>(closing);
    all.addFirst(Objects.requireNonNull(resource, "resource"));
    return new Response(status, headers, content, List.copyOf(all));
  }

  /// With that body.
  public Response withContent(Content newContent) {
    return new Response(status, headers, Objects.requireNonNull(newContent, "content"), closing);
  }

  /// The status.
  public int status() {
    return status;
  }

  /// Its headers, without those of the connection.
  public Headers headers() {
    return headers;
  }

  /// Its body.
  public Content content() {
    return content;
  }

  /// What is closed when it is over, in this order: by who sends it. Who makes an answer and does not return it closes these himself.
  public List<AutoCloseable> toClose() {
    return closing;
  }

  private static int checkStatus(int status) {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException(
          "a final answer has a status from 200 to 599, not " + status);
    }
    return status;
  }

  @Override
  public String toString() {
    return content instanceof Content.Bytes bytes
            && bytes.type().equals(TEXT)
            && bytes.bytes().length < 200
        ? status + " " + new String(bytes.bytes(), StandardCharsets.UTF_8)
        : "answer " + status;
  }
}
