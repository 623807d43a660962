// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.http.one.ClientConnection;
import dev.couv.http.one.ResponseHead;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/// An answer that a [WebClient] got: a status, headers, and a body that is read as it comes.
///
/// It holds its connection until the body was read to its end, or the answer is closed.
public final class ClientResponse implements AutoCloseable {
  private final ClientRequest request;
  private final ResponseHead head;
  private final Headers headers;
  private final HttpBody raw;
  private final HttpBody body;
  private boolean closed;

  ClientResponse(ClientRequest request, ResponseHead head, HttpBody raw, long gzip) {
    this.request = request;
    this.head = head;
    this.raw = raw;
    boolean compressed =
        gzip > 0
            && raw != HttpBody.NONE
            && "gzip".equalsIgnoreCase(head.headers().get("content-encoding"));
    this.body = compressed ? new GunzipBody(raw, gzip) : raw;
    this.headers =
        compressed
            ? head.headers().without("content-encoding").without("content-length")
            : head.headers();
  }

  /// The status: 200, 404.
  public int status() {
    return head.status();
  }

  /// Its headers. Of a body that was compressed, as if it were not.
  public Headers headers() {
    return headers;
  }

  /// The first value of that header; null if it is not there.
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /// The version of HTTP in which it came.
  public HttpVersion version() {
    return head.version();
  }

  /// Who has answered in the end: another URI than was asked, after a redirect.
  public URI uri() {
    return request.uri();
  }

  /// Its body, to be read once.
  public HttpBody body() {
    return body;
  }

  /// All of its body.
  ///
  /// @throws IOException if that is more than so many bytes; then the answer is closed
  public byte[] bytes(int limit) throws IOException {
    try {
      return body.bytes(limit);
    } catch (HttpFailure tooLarge) {
      close();
      throw new IOException("an answer of more than " + limit + " bytes");
    }
  }

  /// All of its body as text, in UTF-8.
  ///
  /// @throws IOException if that is more than so many bytes; then the answer is closed
  public String text(int limit) throws IOException {
    return new String(bytes(limit), java.nio.charset.StandardCharsets.UTF_8);
  }

  /// Whether it was closed.
  public boolean isClosed() {
    return closed;
  }

  /// Nobody reads the rest of its body. If there is more to come its connection is closed, else kept. Never waits; does
  /// nothing the second time.
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (body instanceof GunzipBody gunzip) {
        gunzip.end();
      } else {
        ClientConnection.leave(raw);
      }
    }
  }

  @Override
  public String toString() {
    return head.status() + " to " + request;
  }
}
