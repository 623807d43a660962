// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request that came: what is asked for, with headers, and a body that is read as it comes.
public final class Request {
  private final String method;
  private final String target;
  private final HttpVersion version;
  private final Headers headers;
  private final HttpBody body;
  private final Peer peer;

  /// Where the path ends in the target.
  private final int pathEnd;

  private @Nullable Query query;
  private @Nullable Map<String, String> cookies;
  private @Nullable Form form;

  /// Set by the router.
  private PathValues values = PathValues.NONE;

  private Request(
      String method,
      String target,
      HttpVersion version,
      Headers headers,
      HttpBody body,
      Peer peer) {
    this.method = method;
    this.target = target;
    this.version = version;
    this.headers = headers;
    this.body = body;
    this.peer = peer;
    int question = target.indexOf('?');
    this.pathEnd = question < 0 ? target.length() : question;
  }

  /// A request of that method for that target, `/path?name=value`, without headers and body: for tests of handlers.
  public static Request of(String method, String target) {
    return of(method, target, HttpVersion.HTTP_1_1, Headers.EMPTY, HttpBody.NONE, Peer.NOBODY);
  }

  /// A request of which everything is said.
  public static Request of(
      String method,
      String target,
      HttpVersion version,
      Headers headers,
      HttpBody body,
      Peer peer) {
    return new Request(
        Objects.requireNonNull(method, "method"),
        Objects.requireNonNull(target, "target"),
        Objects.requireNonNull(version, "version"),
        Objects.requireNonNull(headers, "headers"),
        Objects.requireNonNull(body, "body"),
        Objects.requireNonNull(peer, "peer"));
  }

  /// This request with that header, in place of those of the same name.
  public Request withHeader(String name, String value) {
    Request other = with(headers.with(name, value), body);
    other.form = form; // which cannot be read again
    return other;
  }

  /// This request with that body.
  public Request withBody(HttpBody newBody) {
    return with(headers, newBody);
  }

  /// What is known of the target is known of the other, too.
  private Request with(Headers newHeaders, HttpBody newBody) {
    Request other = of(method, target, version, newHeaders, newBody, peer);
    other.values = values;
    other.query = query;
    return other;
  }

  /// `GET`, `POST`, or any other word: methods are case-sensitive.
  public String method() {
    return method;
  }

  /// What was asked for, as it came: `/users/7?full=yes`.
  public String target() {
    return target;
  }

  /// What was asked for without the query, as it came: `%2F` is still `%2F`. Path values are decoded.
  public String path() {
    return pathEnd == target.length() ? target : target.substring(0, pathEnd);
  }

  /// The query, as it came, without the question mark; empty if there is none.
  public String query() {
    return pathEnd == target.length() ? "" : target.substring(pathEnd + 1);
  }

  /// The first value of that name in the query, decoded; null if it is not there.
  ///
  /// @throws HttpFailure with the status 400 if the query cannot be decoded
  public @Nullable String parameter(String name) throws HttpFailure {
    return decodedQuery().get(name);
  }

  /// All values of that name in the query, decoded, in their order.
  ///
  /// @throws HttpFailure with the status 400 if the query cannot be decoded
  public List<String> parameters(String name) throws HttpFailure {
    return decodedQuery().all(name);
  }

  private Query decodedQuery() throws HttpFailure {
    Query decoded = query;
    if (decoded == null) {
      decoded = Query.of(query());
      query = decoded;
    }
    return decoded;
  }

  /// What is in the path where the route has `{name}`, decoded.
  ///
  /// @throws IllegalArgumentException if the route has no such name
  public String value(String name) {
    return values.get(name);
  }

  /// The router's.
  void values(PathValues found) {
    values = found;
  }

  /// Its headers.
  public Headers headers() {
    return headers;
  }

  /// The first value of that header; null if it is not there.
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /// The value of that cookie; null if the client has none. Clients can say what they like here.
  ///
  /// @throws HttpFailure with the status 400 if there are more than a thousand cookies
  public @Nullable String cookie(String name) throws HttpFailure {
    return cookies().get(name);
  }

  /// The cookies by their names, in their order; of several of one name the first. A value in quotes is here without them, and what is no
  /// cookie is left out.
  ///
  /// @throws HttpFailure with the status 400 if there are more than a thousand
  public Map<String, String> cookies() throws HttpFailure {
    Map<String, String> decoded = cookies;
    if (decoded == null) {
      decoded = Cookies.of(headers.all("cookie"));
      cookies = decoded;
    }
    return decoded;
  }

  /// The fields of the form that is its body (`application/x-www-form-urlencoded`). The body is read by the first call; others have what
  /// that has read, whatever their limit.
  ///
  /// @throws HttpFailure with the status 415 if it is no such form, 413 if it has more than `limit` bytes or a thousand fields, 400 if
  ///     it cannot be decoded
  public Form form(int limit) throws IOException, HttpFailure {
    Form decoded = form;
    if (decoded == null) {
      decoded = Form.of(this, limit);
      form = decoded;
    }
    return decoded;
  }

  /// Its body, to be read once. What a handler leaves of it is skipped, if it is not too much.
  ///
  /// A client that asks whether it may send it (`Expect: 100-continue`) is told so by the first read.
  public HttpBody body() {
    return body;
  }

  /// The version of HTTP in which it came.
  public HttpVersion version() {
    return version;
  }

  /// The other side's address; null if it has none.
  public @Nullable SocketAddress remote() {
    return peer.remote();
  }

  /// Whether it came over TLS.
  public boolean isSecure() {
    return peer.secure();
  }

  /// Who sent it.
  public Peer peer() {
    return peer;
  }

  /// Method and target.
  @Override
  public String toString() {
    return method + " " + target;
  }
}
