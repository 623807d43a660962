// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// What a [WebClient] asks for. It does not change: `with…` makes another one.
///
/// ```java
/// client.send(ClientRequest.of("PUT", "http://example.org/users/7").withJson("{}"));
/// ```
public final class ClientRequest {
  private final String method;
  private final URI uri;
  private final Headers headers;
  private final Content content;
  private final boolean expecting;

  private ClientRequest(
      String method, URI uri, Headers headers, Content content, boolean expecting) {
    this.method = method;
    this.uri = uri;
    this.headers = headers;
    this.content = content;
    this.expecting = expecting;
  }

  /// A request without a body.
  ///
  /// @throws IllegalArgumentException if it is no method, or no URI of HTTP
  public static ClientRequest of(String method, String uri) {
    return of(method, URI.create(uri));
  }

  /// A request without a body.
  ///
  /// @throws IllegalArgumentException if it is no method, or no URI of HTTP: it has a host, and no user
  public static ClientRequest of(String method, URI uri) {
    if (!HeaderChars.isToken(method) || method.equals("CONNECT")) {
      throw new IllegalArgumentException("no method: " + method);
    }
    Origin.of(uri, "http", "https");
    return new ClientRequest(method, uri, Headers.EMPTY, Content.NONE, false);
  }

  /// With that header, in place of those of the same name.
  ///
  /// @throws IllegalArgumentException if it cannot be one, or is the connection's business
  public ClientRequest withHeader(String name, String value) {
    refuse(name);
    return new ClientRequest(method, uri, headers.with(name, value), content, expecting);
  }

  /// With that header, after those of the same name.
  ///
  /// @throws IllegalArgumentException if it cannot be one, or is the connection's business
  public ClientRequest plusHeader(String name, String value) {
    refuse(name);
    return new ClientRequest(method, uri, headers.plus(name, value), content, expecting);
  }

  private static void refuse(String name) {
    Framing.refuse(name);
    if (name.equalsIgnoreCase("expect") || name.equalsIgnoreCase("upgrade")) {
      throw new IllegalArgumentException("the header " + name + " is set by the connection");
    }
  }

  /// With that body.
  ///
  /// @throws IllegalArgumentException if it is none that a request can have
  public ClientRequest withContent(Content newContent) {
    if (newContent instanceof Content.Upgraded) {
      throw new IllegalArgumentException("a request has no connection to give");
    }
    Objects.requireNonNull(newContent, "content");
    return new ClientRequest(method, uri, headers, newContent, expecting);
  }

  /// With that text as its body, in UTF-8.
  public ClientRequest withText(String text) {
    return withBytes("text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  /// With JSON, which somebody has written already, as its body.
  public ClientRequest withJson(String json) {
    return withBytes("application/json", json.getBytes(StandardCharsets.UTF_8));
  }

  /// With those bytes as its body, of that media type. The array is not copied.
  public ClientRequest withBytes(String type, byte... bytes) {
    HeaderChars.check("Content-Type", type);
    return withContent(new Content.Bytes(type, bytes));
  }

  /// With a body that is written while it is sent, of any length. Such a request is never sent twice.
  public ClientRequest withStream(String type, Content.Writing writing) {
    HeaderChars.check("Content-Type", type);
    return withContent(new Content.Streamed(type, Objects.requireNonNull(writing, "writing")));
  }

  /// With a body that is written while it is sent, and has so many bytes, neither more nor fewer: the server is told. Such a request is never
  /// sent twice.
  public ClientRequest withStream(String type, long length, Content.Writing writing) {
    HeaderChars.check("Content-Type", type);
    if (length < 0) {
      throw new IllegalArgumentException("a body of " + length + " bytes");
    }
    Objects.requireNonNull(writing, "writing");
    return withContent(new Content.Streamed(type, length, writing));
  }

  /// Whether the server is asked before the body is sent (`Expect: 100-continue`): for one that may be refused, and is
  /// large. A server that does not say so within a second is sent it all the same.
  public ClientRequest withExpect(boolean newExpecting) {
    return new ClientRequest(method, uri, headers, content, newExpecting);
  }

  /// The same to another place.
  ClientRequest to(String newMethod, URI newUri, Headers newHeaders, Content newContent) {
    return new ClientRequest(newMethod, newUri, newHeaders, newContent, expecting);
  }

  /// `GET`, `POST`, or any other word.
  public String method() {
    return method;
  }

  /// Where it goes.
  public URI uri() {
    return uri;
  }

  /// Its headers, without those of the connection.
  public Headers headers() {
    return headers;
  }

  /// Its body.
  public Content content() {
    return content;
  }

  /// Whether the server is asked before the body is sent.
  public boolean isExpecting() {
    return expecting && !(content instanceof Content.None);
  }

  /// Whether it may be sent twice if nobody knows what became of it.
  boolean isRepeatable() {
    boolean idempotent =
        switch (method) {
          case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE" -> true;
          default -> false;
        };
    return idempotent && !(content instanceof Content.Streamed);
  }

  @Override
  public String toString() {
    return method + " " + uri;
  }
}
