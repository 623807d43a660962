// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.LoopBound;
import dev.couv.coro.Scope;
import dev.couv.http.one.Heads;
import dev.couv.http.one.OneConnection;
import dev.couv.http.serve.Compressing;
import dev.couv.http.serve.Handshake;
import dev.couv.http.serve.Service;
import dev.couv.http.two.AnswerHeads;
import dev.couv.http.two.TwoConnection;
import dev.couv.net.ServeOptions;
import dev.couv.net.StreamListener;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.net.TlsOptions;
import dev.couv.net.TlsStream;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Serves HTTP: each connection in a coroutine of its own, each request by the handler of its route. HTTP/1.1 and HTTP/2
/// are spoken, whichever the client chooses.
///
/// ```java
/// try (var server = HttpServer.open(new InetSocketAddress("127.0.0.1", 8080))) {
///   server.route("GET", "/users/{id}", request -> Response.text("user " + request.value("id")));
///   server.serve();
/// }
/// ```
///
/// A server belongs to the loop it was opened in.
public final class HttpServer implements AutoCloseable, LoopBound {
  /// As ALPN says it.
  private static final String HTTP_2 = "h2";

  private final StreamListener<?> listener;
  private final ServerOptions options;
  private final Router router = new Router();
  private final Filters filters = new Filters(router);
  private final List<WebSocketRoute> webSockets = new ArrayList<>();
  private @Nullable Service service;

  private HttpServer(StreamListener<?> listener, ServerOptions options) {
    this.listener = listener;
    this.options = options;
    Compression compression = options.compression();
    if (compression != null) {
      filters.add(new Compressing(compression));
    }
  }

  /// Listens at that address, at once. Port 0 lets the system choose; [#local] tells.
  public static HttpServer open(InetSocketAddress address) throws IOException {
    return open(address, ServerOptions.DEFAULT);
  }

  /// Listens at that address, at once. Port 0 lets the system choose; [#local] tells.
  public static HttpServer open(InetSocketAddress address, ServerOptions options)
      throws IOException {
    Objects.requireNonNull(options, "options");
    return new HttpServer(Tcp.listen(address, options.listen()), options);
  }

  /// Serves what that listener accepts, which belongs to the server from then on: a local socket, for example.
  public static HttpServer open(StreamListener<?> listener, ServerOptions options) {
    return new HttpServer(
        Objects.requireNonNull(listener, "listener"), Objects.requireNonNull(options, "options"));
  }

  /// The address it listens at.
  ///
  /// @throws IllegalStateException if it does not listen over TCP
  public InetSocketAddress local() {
    if (listener instanceof TcpListener tcp) {
      return tcp.local();
    }
    throw new IllegalStateException(listener + " has no such address");
  }

  // ---- what is served

  /// Who answers that method at that path; returns itself. In the path `{name}` is any piece between two slashes, and
  /// `{name...}` at its end all that is left; [Request#value] has them. `*` is every method that has no route there.
  ///
  /// `HEAD` is answered as `GET`, without the body. Paths that have other methods answer 405, all others 404.
  ///
  /// @throws IllegalArgumentException if it is no path or method, or has its route already
  public HttpServer route(String method, String path, HttpHandler handler) {
    router.add(method, path, Objects.requireNonNull(handler, "handler"));
    return this;
  }

  /// Has that filter before all that is answered here, inside of those that were added before it; returns itself. It sees all requests,
  /// also those that no route answers, but not what was refused because it is no request.
  public HttpServer filter(HttpFilter filter) {
    filters.add(filter);
    return this;
  }

  /// Answers with the files of that directory at the paths below the prefix; returns itself. `index.html` is what a
  /// directory has to show. Clients may ask for parts, and whether they have a file already.
  ///
  /// What is not below the directory is not there, wherever links lead, nor is what begins with a dot.
  ///
  /// @throws IllegalArgumentException if the prefix is no path, or has its route already
  public HttpServer files(String prefix, Path directory) {
    String below = prefix.endsWith("/") ? prefix : prefix + "/";
    StaticFiles files = new StaticFiles(Objects.requireNonNull(directory, "directory"));
    return route("GET", below + "{" + StaticFiles.PATH + "...}", files);
  }

  /// Who speaks WebSocket with whoever comes to that path; returns itself. The handler runs in the connection's coroutine.
  ///
  /// @throws IllegalArgumentException if it is no path, or has its route already
  public HttpServer webSocket(String path, WebSocketHandler handler) {
    return webSocket(path, WebSocketOptions.DEFAULT, handler);
  }

  /// Who speaks WebSocket with whoever comes to that path, and how; returns itself. When the server ends, the other sides
  /// are told so (1001).
  ///
  /// @throws IllegalArgumentException if it is no path, or has its route already
  public HttpServer webSocket(String path, WebSocketOptions how, WebSocketHandler handler) {
    WebSocketRoute route = new WebSocketRoute(how, handler, this::failed);
    router.add("GET", path, route);
    webSockets.add(route);
    return this;
  }

  private void failed(Request request, Throwable failure) {
    Service serving = service;
    if (serving != null) {
      serving.failed(request, failure);
    }
  }

  // ---- serving

  /// Waits, and serves meanwhile, until the server is closed or the caller cancelled. Then nothing more is accepted, idle
  /// connections are closed, and requests that are being answered have their grace.
  ///
  /// @throws IllegalStateException if it serves already, or has served
  @SuppressWarnings("try") // closing a scope throws whatever failed in it
  public void serve() throws IOException {
    if (service != null) {
      throw new IllegalStateException(
          this + (isClosed() ? " is closed" : " serves already") + ", and serves once");
    }
    try (Scope scope = Scope.apart()) {
      Service serving = new Service(options, filters, scope);
      service = serving;
      Coroutine<Void> accepting = scope.spawn(() -> accept(serving));
      accepting.named("accept of " + this);
      try {
        accepting.await();
      } catch (Cancelled cancelled) {
        Coroutine.protect(
            () -> {
              close();
              awaitEnd(accepting);
            });
        throw cancelled;
      } finally {
        scope.cancel();
      }
    } catch (IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      throw new IOException(this + " has failed", failed);
    }
  }

  /// Where everything is cancelled, as by the end of the loop, it is as well: that is no failure.
  private static void awaitEnd(Coroutine<?> accepting) throws Exception {
    try {
      accepting.await();
    } catch (CancellationException ended) {
      return;
    }
  }

  private void accept(Service serving) throws IOException {
    Heads heads = new Heads(options.name());
    AnswerHeads heads2 = new AnswerHeads(options.name());
    ServeOptions serve =
        ServeOptions.DEFAULT.withLimit(options.connections()).withGrace(options.grace());
    SSLContext tls = options.tls();
    if (tls == null) {
      listener.serve(stream -> serve(stream, peer(stream, false), serving, heads, heads2), serve);
    } else {
      String[] protocols =
          options.limits().streams() > 0
              ? new String[] {HTTP_2, "http/1.1"}
              : new String[] {"http/1.1"};
      TlsOptions how = options.tlsOptions().withApplicationProtocols(protocols);
      Duration head = options.limits().headTime();
      Duration given = how.handshakeTimeout();
      TlsOptions soon =
          given == null || given.compareTo(head) > 0 ? how.withHandshakeTimeout(head) : how;
      listener.serve(
          connection -> {
            try (TlsStream stream = Handshake.shake(connection, tls, soon, serving)) {
              if (stream != null) {
                serve(stream, peer(stream, true), serving, heads, heads2);
              }
            }
          },
          serve);
    }
  }

  private static void serve(
      ByteStream stream, Peer peer, Service serving, Heads heads, AnswerHeads heads2)
      throws Exception {
    boolean chosen = stream instanceof TlsStream tls && HTTP_2.equals(tls.applicationProtocol());
    if (chosen || !new OneConnection(stream, peer, serving, heads).serve()) {
      new TwoConnection(stream, peer, serving, heads2).serve();
    }
  }

  private static Peer peer(ByteStream stream, boolean secure) throws IOException {
    ByteStream below = stream instanceof TlsStream tls ? tls.transport() : stream;
    SocketAddress remote = below instanceof TcpStream tcp ? tcp.remote() : null;
    return new Peer(remote, secure);
  }

  @Override
  public boolean isHere() {
    return listener.isHere();
  }

  /// Whether it was closed.
  public boolean isClosed() {
    return listener.isClosed();
  }

  /// Accepts nothing more, and lets [#serve] come to its end. Does nothing the second time.
  @Override
  public void close() {
    listener.close();
    Service serving = service;
    if (serving != null) {
      serving.drain();
    }
    webSockets.forEach(WebSocketRoute::goAway);
  }

  @Override
  public String toString() {
    return "http server at " + listener;
  }
}
