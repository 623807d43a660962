// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.http.one.ClientLink;
import dev.couv.http.one.ResponseHead;
import dev.couv.http.socket.Extension;
import dev.couv.http.socket.Keys;
import dev.couv.http.socket.Link;
import dev.couv.stream.ByteStream;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeoutException;

/// The client's side of the handshake.
final class WebSocketDial {
  private static final int HEAD = 1 << 14;
  private static final int HEADERS = 100;

  private WebSocketDial() {}

  static WebSocket connect(URI uri, WebSocketOptions options) throws IOException {
    Origin origin = Origin.of(uri, "ws", "wss");
    try {
      return Time.timeout(options.connectTime(), () -> connect(origin, uri, options));
    } catch (TimeoutException slow) {
      throw new SocketTimeoutException(
          "no web socket of " + origin + " within " + options.connectTime());
    } catch (IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static WebSocket connect(Origin origin, URI uri, WebSocketOptions options)
      throws IOException {
    ByteStream stream = origin.connect(options.tls());
    try {
      String key = Keys.random();
      ClientLink link = new ClientLink(stream, HEAD, HEADERS);
      link.writeHead("GET", Origin.target(uri), headers(origin, key, options));
      ResponseHead answer = link.awaitHead("GET");
      check(answer, key);
      Headers headers = answer.headers();
      Extension extension =
          Extension.agreed(headers.all("sec-websocket-extensions"), options.compression());
      String protocol = protocol(headers, options.protocols());
      link.giveBack();
      return new WebSocket(new Link(stream, true, extension, options), null, headers, protocol);
    } catch (Throwable failed) {
      stream.close();
      throw failed;
    }
  }

  private static Headers headers(Origin origin, String key, WebSocketOptions options) {
    Headers.Builder headers = Headers.builder();
    headers.add("Host", origin.host());
    headers.add("Upgrade", "websocket");
    headers.add("Connection", "Upgrade");
    headers.add("Sec-WebSocket-Version", "13");
    headers.add("Sec-WebSocket-Key", key);
    String offer = Extension.offer(options.compression());
    if (offer != null) {
      headers.add("Sec-WebSocket-Extensions", offer);
    }
    if (!options.protocols().isEmpty()) {
      headers.add("Sec-WebSocket-Protocol", String.join(", ", options.protocols()));
    }
    options.headers().forEach(header -> headers.add(header.name(), header.value()));
    return headers.build();
  }

  private static void check(ResponseHead answer, String key) throws ProtocolException {
    Headers headers = answer.headers();
    if (answer.status() != 101) {
      throw new ProtocolException("no web socket there: answered by " + answer.status());
    }
    boolean agreed =
        headers.contains("upgrade", "websocket")
            && headers.contains("connection", "upgrade")
            && headers.all("sec-websocket-accept").equals(List.of(Keys.accept(key)));
    if (!agreed) {
      throw new ProtocolException("no answer to a web socket: " + headers);
    }
  }

  private static String protocol(Headers headers, List<String> offered) throws ProtocolException {
    List<String> answered = headers.all("sec-websocket-protocol");
    if (answered.isEmpty()) {
      return "";
    }
    if (answered.size() > 1 || !offered.contains(answered.getFirst())) {
      throw new ProtocolException("protocols that were not offered: " + answered);
    }
    return answered.getFirst();
  }
}
