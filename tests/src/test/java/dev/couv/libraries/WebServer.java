// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// The JDK's own server on threads of its own: `/echo?x` answers x, `/held` when it is released, `/endless` begins and does not end.
final class WebServer implements AutoCloseable {
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("web-", 1).factory());
  private final HttpServer server;
  private final Semaphore release = new Semaphore(0);
  private final AtomicInteger held = new AtomicInteger();

  private WebServer(HttpServer server) {
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/echo", each -> answer(each, each.getRequestURI().getQuery()));
    server.createContext("/held", this::hold);
    server.createContext("/endless", WebServer::begin);
    server.start();
  }

  static WebServer open() throws IOException {
    return new WebServer(
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    try (exchange) {
      byte[] bytes = text.getBytes(UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private void hold(HttpExchange exchange) throws IOException {
    held.incrementAndGet();
    release.acquireUninterruptibly();
    held.decrementAndGet();
    answer(exchange, "released");
  }

  /// The rest never comes.
  private static void begin(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 1000);
    exchange.getResponseBody().write("begun".getBytes(UTF_8));
    exchange.getResponseBody().flush();
  }

  URI at(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  int port() {
    return server.getAddress().getPort();
  }

  /// How many requests wait.
  int held() {
    return held.get();
  }

  void release(int count) {
    release.release(count);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
