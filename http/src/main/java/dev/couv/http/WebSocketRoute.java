// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Resumed;
import dev.couv.http.socket.CloseCodes;
import dev.couv.http.socket.Extension;
import dev.couv.http.socket.Keys;
import dev.couv.http.socket.Link;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The server's side of the handshake: answers a request for a WebSocket, and hands the connection to its handler.
final class WebSocketRoute implements HttpHandler {
  private static final String VERSION = "13";

  private final WebSocketOptions options;
  private final WebSocketHandler handler;
  private final BiConsumer<Request, Throwable> failed;
  private final Set<Link> open = new LinkedHashSet<>();

  /// Whether the server ends: whose handshake was on its way is told then.
  private boolean leaving;

  /// @param failed is told of what the handler throws
  WebSocketRoute(
      WebSocketOptions options, WebSocketHandler handler, BiConsumer<Request, Throwable> failed) {
    this.options = Objects.requireNonNull(options, "options");
    this.handler = Objects.requireNonNull(handler, "handler");
    this.failed = failed;
  }

  @Override
  public Response handle(Request request) throws HttpFailure {
    Headers headers = request.headers();
    boolean asks =
        request.version() == HttpVersion.HTTP_1_1
            && request.method().equals("GET")
            && headers.contains("upgrade", "websocket")
            && headers.contains("connection", "upgrade");
    if (!asks || !VERSION.equals(headers.get("sec-websocket-version"))) {
      throw new HttpFailure(
          Response.text("this speaks WebSocket\n")
              .withStatus(426)
              .withHeader("Upgrade", "websocket")
              .withHeader("Sec-WebSocket-Version", VERSION));
    }
    List<String> keys = headers.all("sec-websocket-key");
    if (keys.size() != 1 || !Keys.isKey(keys.getFirst()) || request.body().length() != 0) {
      throw new HttpFailure(400, "no key for a WebSocket");
    }
    if (!isAllowed(request)) {
      throw new HttpFailure(403, "not from that page");
    }
    Extension extension =
        Extension.accept(headers.all("sec-websocket-extensions"), options.compression());
    Headers.Builder answer = Headers.builder();
    answer.add("Sec-WebSocket-Accept", Keys.accept(keys.getFirst()));
    String agreed = extension.answer();
    if (agreed != null) {
      answer.add("Sec-WebSocket-Extensions", agreed);
    }
    String protocol = protocol(headers);
    if (!protocol.isEmpty()) {
      answer.add("Sec-WebSocket-Protocol", protocol);
    }
    return Response.upgrade(
        "websocket", answer.build(), stream -> serve(stream, request, extension, protocol));
  }

  /// The first of ours that the client speaks, too.
  private String protocol(Headers headers) {
    for (String protocol : options.protocols()) {
      for (String offered : headers.all("sec-websocket-protocol")) {
        if (List.of(offered.trim().split("\\s*,\\s*")).contains(protocol)) {
          return protocol;
        }
      }
    }
    return "";
  }

  /// A page of anybody's can make a browser come here, with the cookies that its user has for this server.
  private boolean isAllowed(Request request) {
    String origin = request.header("origin");
    if (origin == null || options.origins().contains("*")) {
      return true;
    }
    if (!options.origins().isEmpty()) {
      return options.origins().stream().anyMatch(origin::equalsIgnoreCase);
    }
    try {
      String authority = URI.create(origin).getRawAuthority();
      return authority != null && authority.equalsIgnoreCase(request.header("host"));
    } catch (IllegalArgumentException noPage) {
      return false;
    }
  }

  private void serve(ByteStream stream, Request request, Extension extension, String protocol) {
    Link link = new Link(stream, false, extension, options);
    WebSocket socket = new WebSocket(link, request, request.headers(), protocol);
    open.add(link);
    if (leaving) {
      link.goAway();
    }
    try {
      handler.handle(socket);
      socket.close();
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (Exception | Error failure) {
      boolean news = !isGone(link, failure);
      link.close(CloseCodes.FAILED, "");
      if (news) {
        failed.accept(request, failure);
      }
    } finally {
      open.remove(link);
      link.end();
    }
  }

  /// That the other side has gone is for the handler to know, and no failure of the server.
  private static boolean isGone(Link link, @Nullable Throwable failure) {
    return link.isEnding()
        && (failure instanceof IOException || failure instanceof UncheckedIOException);
  }

  /// The server ends: everybody is told, and nobody waited for.
  void goAway() {
    leaving = true;
    List.copyOf(open).forEach(Link::goAway);
  }
}
