// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.coro.Coroutine;
import dev.couv.coro.LoopBound;
import dev.couv.coro.Scope;
import dev.couv.http.one.ClientConnection;
import dev.couv.http.one.Deadline;
import dev.couv.http.one.ResponseHead;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.Objects;

/// Asks servers of HTTP, over connections that it keeps for the next request.
///
/// ```java
/// try (var client = WebClient.open();
///     var answer = client.get("http://example.org/")) {
///   IO.println(answer.status() + " " + answer.text(1 << 20));
/// }
/// ```
///
/// Any number of coroutines of its loop may ask at once. It belongs to the scope in which it was opened: close it there.
public final class WebClient implements AutoCloseable, LoopBound {
  private final ClientOptions options;
  private final Scope scope;
  private final ClientPool pool;

  private WebClient(ClientOptions options) {
    this.options = options;
    this.scope = Coroutine.current().scope();
    this.pool = new ClientPool(options, scope);
  }

  /// A client without connections yet.
  public static WebClient open() {
    return open(ClientOptions.DEFAULT);
  }

  /// A client without connections yet.
  public static WebClient open(ClientOptions options) {
    return new WebClient(Objects.requireNonNull(options, "options"));
  }

  /// Asks for that: `http://…` or `https://…`.
  ///
  /// @throws IOException if there is no answer; one of any status is none
  /// @throws IllegalArgumentException if it is no URI of HTTP
  public ClientResponse get(String uri) throws IOException {
    return send(ClientRequest.of("GET", uri));
  }

  /// Sends text, in UTF-8, there.
  ///
  /// @throws IOException if there is no answer; one of any status is none
  /// @throws IllegalArgumentException if it is no URI of HTTP
  public ClientResponse post(String uri, String text) throws IOException {
    return send(ClientRequest.of("POST", uri).withText(text));
  }

  /// Sends a request, and waits for the head of the answer; redirects are followed as the options say. The body is read
  /// from the answer, which is to be closed, or read to its end.
  ///
  /// A request to a connection that the server had closed meanwhile is sent again, once, if it does no harm: that it was
  /// not answered, and is one that may be repeated. Whoever is cancelled has closed the connection; the server may have
  /// got the request all the same.
  ///
  /// @throws java.net.SocketTimeoutException if it takes longer than the options say
  /// @throws ProtocolException if the answer is none, or there are too many redirects
  /// @throws IOException if the server cannot be reached, or ends the connection
  public ClientResponse send(ClientRequest request) throws IOException {
    Deadline deadline = Deadline.after(options.whole());
    ClientRequest now = Objects.requireNonNull(request, "request");
    for (int followed = 0; ; followed++) {
      ClientResponse answer = exchange(now, deadline);
      ClientRequest next =
          options.redirects() == 0
              ? null
              : Redirects.follow(now, answer.status(), answer.header("location"));
      if (next == null) {
        return answer;
      }
      answer.close(); // what it has to say is nobody's
      if (followed == options.redirects()) {
        throw new ProtocolException("more than " + followed + " redirects from " + request.uri());
      }
      now = next;
    }
  }

  private ClientResponse exchange(ClientRequest request, Deadline deadline) throws IOException {
    ClientPool.Ticket ticket = pool.enter(Origin.of(request.uri(), "http", "https"), deadline);
    boolean answered = false;
    try {
      for (boolean again = false; ; again = true) {
        ClientConnection connection = ticket.connect(again, deadline);
        try {
          ResponseHead head = exchange(request, connection, deadline);
          HttpBody body = connection.body(head, options.idle(), deadline, ticket::done);
          answered = true;
          return new ClientResponse(request, head, body, options.gzip());
        } catch (IOException gone) {
          boolean stale = connection.isReused() && !connection.hasBegun() && connection.isOpen();
          ticket.drop();
          if (again || !stale || !request.isRepeatable() || isTimeout(gone)) {
            throw gone;
          }
        }
      }
    } finally {
      if (!answered) {
        ticket.done(false);
      }
    }
  }

  private static boolean isTimeout(IOException failure) {
    return failure instanceof java.net.SocketTimeoutException;
  }

  private ResponseHead exchange(
      ClientRequest request, ClientConnection connection, Deadline deadline) throws IOException {
    return connection.exchange(
        request.method(),
        Origin.target(request.uri()),
        headers(request),
        request.content(),
        request.isExpecting(),
        options.headTime(),
        deadline);
  }

  private Headers headers(ClientRequest request) {
    Headers given = request.headers();
    Headers.Builder all = Headers.builder();
    if (!given.contains("host")) {
      all.add("host", Origin.of(request.uri(), "http", "https").host());
    }
    given.forEach(header -> all.add(header.name(), header.value()));
    if (!options.name().isEmpty() && !given.contains("user-agent")) {
      all.add("user-agent", options.name());
    }
    if (options.gzip() > 0 && !given.contains("accept-encoding") && !given.contains("range")) {
      all.add("accept-encoding", "gzip");
    }
    if (request.isExpecting()) {
      all.add("expect", "100-continue");
    }
    switch (request.content()) {
      case Content.Bytes bytes -> body(all, given, bytes.type(), bytes.bytes().length);
      case Content.FileRange file -> body(all, given, file.type(), file.length());
      case Content.OpenRange file -> body(all, given, file.type(), file.length());
      case Content.Streamed body -> body(all, given, body.type(), body.length());
      case Content.None _, Content.Upgraded _ -> {
        if (request.method().equals("POST") || request.method().equals("PUT")) {
          all.add("content-length", "0");
        }
      }
    }
    return all.build();
  }

  private static void body(Headers.Builder all, Headers given, String type, long length) {
    if (!type.isEmpty() && !given.contains("content-type")) {
      all.add("content-type", type);
    }
    if (length >= 0) {
      all.add("content-length", Long.toString(length));
    } else {
      all.add("transfer-encoding", "chunked");
    }
  }

  /// How many connections are kept for the next request.
  public int idle() {
    return pool.idle();
  }

  @Override
  public boolean isHere() {
    return scope.isHere();
  }

  /// Whether it was closed.
  public boolean isClosed() {
    return pool.isClosed();
  }

  /// Closes all connections, also those in use: whoever reads an answer gets an `AsynchronousCloseException`, and whoever waits for
  /// a turn or a connection a `ClosedException`. Does nothing the second time.
  @Override
  public void close() {
    pool.close();
  }

  @Override
  public String toString() {
    return "web client";
  }
}
