// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// The page that shows a program, on the loopback address of this machine, for whoever knows its address: that has a
/// secret in it.
///
/// ## Who gets what
///
/// - A request is for `127.0.0.1` or `localhost` by its `Host`: a page of somebody else's, whose name was made to lead here,
///   says another one.
/// - Its path begins with the secret, or it gets nothing at all.
/// - What changes something is a `POST` that repeats the secret in a header. No form and no foreign page can send that: it
///   would have to ask first, and nobody is told that he may. An `Origin` that is not the page's own is refused besides.
/// - The page loads nothing from elsewhere, is in no frame, and tells nobody where it was.
public final class PageServer implements AutoCloseable {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /// The header in which the secret is repeated.
  public static final String HEADER = "X-Couv-Secret";

  private static final Map<String, String> FILES =
      Map.of("", "page.html", "page.css", "page.css", "page.js", "page.js", "chart.js", "chart.js");

  private static final String JSON = "application/json; charset=utf-8";
  private static final String TEXT = "text/plain; charset=utf-8";

  private final Link link;
  private final String title;
  private final String secret;
  private final HttpServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> hosts;

  private PageServer(Link link, String title, String secret, HttpServer server) {
    this.link = link;
    this.title = title;
    this.secret = secret;
    this.server = server;
    int port = server.getAddress().getPort();
    this.hosts = List.of("127.0.0.1:" + port, "localhost:" + port);
  }

  /// Serves the page of what the link leads to; port 0 is any. The link stays the caller's.
  public static PageServer open(Link link, String title, int port) throws IOException {
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    InetSocketAddress here =
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    HttpServer server = HttpServer.create(here, 0);
    PageServer page = new PageServer(link, title, HexFormat.of().formatHex(secret), server);
    server.setExecutor(page.executor);
    server.createContext("/", page::serve);
    // Its thread is then one that keeps no program, and no loop, waiting.
    Thread starter = Thread.ofPlatform().daemon().name("couv-inspect-page").start(server::start);
    boolean interrupted = false;
    while (starter.isAlive()) {
      try {
        starter.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return page;
  }

  /// Where it is.
  public URI address() {
    return URI.create("http://" + hosts.getFirst() + "/" + secret + "/");
  }

  /// An answer.
  private record Answer(int status, String type, String body) {
    static Answer text(int status, String words) {
      return new Answer(status, TEXT, words);
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer = answer(exchange);
      var headers = exchange.getResponseHeaders();
      headers.set("Content-Type", answer.type);
      headers.set("Content-Security-Policy", POLICY);
      headers.set("Referrer-Policy", "no-referrer");
      headers.set("X-Content-Type-Options", "nosniff");
      headers.set("X-Frame-Options", "DENY");
      headers.set("Cross-Origin-Resource-Policy", "same-origin");
      headers.set("Cross-Origin-Opener-Policy", "same-origin");
      headers.set("Cache-Control", "no-store");
      byte[] body = answer.body.getBytes(UTF_8);
      exchange.sendResponseHeaders(answer.status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    String host = exchange.getRequestHeaders().getFirst("Host");
    if (host == null || !hosts.contains(host)) {
      return Answer.text(403, "this is not the address of this page\n");
    }
    String[] path = exchange.getRequestURI().getPath().split("/", 3);
    if (path.length < 3 || !isSecret(path[1])) {
      return Answer.text(403, "the secret in the address is not the right one\n");
    }
    return switch (exchange.getRequestMethod()) {
      case "GET" -> shown(path[2], exchange.getRequestURI().getQuery());
      case "POST" -> changed(exchange, host, path[2]);
      default -> Answer.text(405, "only GET and POST\n");
    };
  }

  private boolean isSecret(@Nullable String given) {
    return given != null && MessageDigest.isEqual(given.getBytes(UTF_8), secret.getBytes(UTF_8));
  }

  private Answer shown(String what, @Nullable String query) throws IOException {
    String file = FILES.get(what);
    if (file != null) {
      return file(file);
    }
    return switch (what) {
      case "look" ->
          asked(
              "look %d %d".formatted(number(query, "limit", 20_000), number(query, "after", 0)),
              JSON);
      case "dump" -> asked("dump", TEXT);
      case "stack" -> asked("stack " + number(query, "id", 0), TEXT);
      case "title" -> Answer.text(200, title);
      default -> Answer.text(404, "there is no such thing here\n");
    };
  }

  private Answer changed(HttpExchange exchange, String host, String what) throws IOException {
    String origin = exchange.getRequestHeaders().getFirst("Origin");
    if (origin != null && !origin.equals("http://" + host)) {
      return Answer.text(403, "not from another page\n");
    }
    if (!isSecret(exchange.getRequestHeaders().getFirst(HEADER))) {
      return Answer.text(403, "what changes something needs the secret in " + HEADER + "\n");
    }
    String query = exchange.getRequestURI().getQuery();
    return switch (what) {
      case "cancel/coroutine" -> asked("cancel coroutine " + number(query, "id", 0), TEXT);
      case "cancel/scope" -> asked("cancel scope " + number(query, "id", 0), TEXT);
      default -> Answer.text(404, "there is no such thing to do\n");
    };
  }

  private Answer asked(String question, String type) {
    try {
      String answer = link.ask(question);
      return answer.startsWith("!")
          ? Answer.text(500, answer.substring(1))
          : new Answer(200, type, answer);
    } catch (IOException gone) {
      return Answer.text(410, "the program does not answer: " + gone.getMessage() + "\n");
    }
  }

  /// The number of that name in the query; what is none counts as not there.
  private static long number(@Nullable String query, String name, long otherwise) {
    if (query != null) {
      for (String each : query.split("&", -1)) {
        if (each.startsWith(name + "=") && each.substring(name.length() + 1).matches("\\d{1,18}")) {
          return Long.parseLong(each.substring(name.length() + 1));
        }
      }
    }
    return otherwise;
  }

  private static Answer file(String name) throws IOException {
    try (InputStream in = PageServer.class.getResourceAsStream("page/" + name)) {
      String kind = name.substring(name.lastIndexOf('.') + 1).replace("js", "javascript");
      String text = new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
      return new Answer(200, "text/" + kind + "; charset=utf-8", text);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    executor.close();
  }
}
