// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.couv.net.Program;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The reverse proxy in `examples`, between curl and servers of the JDK's.
@Tag("jvm")
class ProxyExampleTest {
  @TempDir private Path directory;

  @Test
  void requestsGoRoundAndBodiesPassBothWays() throws Exception {
    byte[] large = new byte[5_000_000];
    new Random(11).nextBytes(large);
    Path file = Files.write(directory.resolve("large"), large);
    try (var a = new Upstream("a", 0);
        var b = new Upstream("b", 0);
        var proxy = start(a, b)) {
      String url = "http://127.0.0.1:" + proxy.port();

      Set<String> seen = new HashSet<>();
      for (int i = 0; i < 4; i++) {
        seen.add(curl(url + "/who?x=%20y"));
      }
      assertEquals(Set.of("a GET /who?x=%20y", "b GET /who?x=%20y"), seen);

      String headers =
          curl("-H", "Connection: X-Secret", "-H", "X-Secret: 1", "-H", "X-Kept: 2", url + "/head");
      assertTrue(headers.contains("X-kept=[2]"), headers);
      assertTrue(headers.contains("X-forwarded-for=[127.0.0.1]"), headers);
      assertTrue(headers.contains("Host=[" + url.substring(7) + "]"), headers);
      assertFalse(headers.contains("secret"), headers);
      String head = curl("-I", url + "/who");
      assertTrue(head.startsWith("HTTP/1.1 200"), head);
      assertEquals(1, head.split("(?i)\ndate:", -1).length - 1, head);

      Path back = directory.resolve("back");
      curl("-T", file.toString(), "-o", back.toString(), url + "/echo");
      assertArrayEquals(large, Files.readAllBytes(back));
      curl(
          "-H",
          "Transfer-Encoding: chunked",
          "-T",
          file.toString(),
          "-o",
          back.toString(),
          url + "/echo");
      assertArrayEquals(large, Files.readAllBytes(back));
      assertEquals("small", curl("-d", "small", url + "/echo"));
    }
  }

  @Test
  void whatMayBeRepeatedIsAndWhatMayNotIsNot() throws Exception {
    try (var a = new Upstream("a", 0);
        var b = new Upstream("b", 0);
        var proxy = start(a, b)) {
      String url = "http://127.0.0.1:" + proxy.port();
      b.tearing = true;
      for (int i = 0; i < 4; i++) {
        assertEquals("a GET /torn", curl(url + "/torn"));
      }
      a.tearing = true;
      assertEquals(502, status(url + "/torn", "-d", "order"));
      assertEquals(1, a.orders.get() + b.orders.get());
    }
  }

  @Test
  void upstreamsThatAreDownAreLeftOutUntilTheyAreBack() throws Exception {
    int port;
    try (var b = new Upstream("b", 0)) {
      var a = new Upstream("a", 0);
      port = a.port();
      try (var proxy = start(a, b)) {
        String url = "http://127.0.0.1:" + proxy.port();
        a.close();
        for (int i = 0; i < 4; i++) {
          assertEquals("b GET /who", curl(url + "/who"));
          assertEquals("body", curl("-d", "body", url + "/echo"));
        }
        b.health = 500;
        proxy.line(b.uri() + " is left out: /health is 500");
        String none = curl("-i", url + "/who");
        assertTrue(none.startsWith("HTTP/1.1 503 "), none);
        assertTrue(none.contains("Retry-After: 1"), none);

        try (var again = new Upstream("a", port)) {
          proxy.line(again.uri() + " is well: /health is 200");
          assertEquals("a GET /who", curl(url + "/who"));
        }
        assertEquals(502, status(url + "/who"));
        assertEquals(503, status(url + "/who"));
      }
    }
  }

  @Test
  void oneThatDoesNotAnswerIsGivenUpAndOneThatDoesIsWaitedForAtTheEnd() throws Exception {
    try (var a = new Upstream("a", 0);
        var proxy = start("-t", "1", a)) {
      String url = "http://127.0.0.1:" + proxy.port();
      assertEquals(504, status(url + "/never", "-d", "order"));
      assertEquals(504, status(url + "/never"));
      assertEquals("a GET /who", curl(url + "/who")); // slow once is not ill

      try (Program curl = Program.start("curl", "-sS", "--noproxy", "*", url + "/halves")) {
        a.half.await();
        proxy.signal("TERM");
        proxy.line("ending");
        a.rest.countDown();
        assertEquals("0\nfirst, second\n", curl.end());
      }
      var end = proxy.end();
      assertEquals(0, end.status(), () -> end.err().toString());
    }
  }

  /// Over HTTP/2, where clients take back single requests: the upstream's answer comes, and is nobody's.
  @Test
  void clientsThatLeaveTakeNoPlaces() throws Exception {
    List<Socket> clients = new ArrayList<>();
    try (var a = new Upstream("a", 0);
        var proxy = start(a)) {
      int port = proxy.port();
      for (int round = 0; round < 11; round++) { // the proxy asks an upstream a thousand at once
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        clients.add(client);
        client.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(UTF_8));
        client.getOutputStream().write(frame(SETTINGS, 0, 0));
        for (int i = 0; i < 100; i++) {
          client.getOutputStream().write(frame(HEADERS, 5, 2 * i + 1, GET_LATER));
        }
        assertTrue(a.asked.tryAcquire(100, 120, TimeUnit.SECONDS), "requests are held up");
        for (int i = 0; i < 100; i++) {
          client.getOutputStream().write(frame(RESET, 0, 2 * i + 1, 0, 0, 0, 8));
        }
        client.getOutputStream().write(frame(PING, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1));
        awaitPong(new DataInputStream(client.getInputStream()));
        a.later.release(100);
      }
      assertEquals("a GET /who", curl("http://127.0.0.1:" + port + "/who"));
    } finally {
      for (Socket client : clients) {
        client.close();
      }
    }
  }

  @Test
  void whatMakesNoSenseIsRefused() throws Exception {
    var end = new Cli().withHttp().run("run", "examples/proxy.java", "8080", "ftp://127.0.0.1");

    assertEquals(List.of("usage: proxy.java [-t SECONDS] PORT http://HOST[:PORT]…"), end.err());
    assertEquals(2, end.status());
  }

  // ---- both ends

  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;

  /// GET and http from HPACK's table, a path and a host in letters.
  private static final byte[] GET_LATER =
      ("\u0082\u0086\u0004\u0006/later" + "\u0001\u0001a").getBytes(ISO_8859_1);

  private static byte[] frame(int type, int flags, int stream, int... payload) {
    byte[] bytes = new byte[payload.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) payload[i];
    }
    return frame(type, flags, stream, bytes);
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .putInt(payload.length << 8 | type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /// Then all that was said before is known to the other side.
  private static void awaitPong(DataInputStream in) throws IOException {
    while (true) {
      int head = in.readInt();
      int flags = in.read();
      in.readInt();
      in.readNBytes(head >>> 8);
      if ((head & 0xff) == PING && flags == 1) {
        return;
      }
    }
  }

  private static Cli.Running start(Object... words) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("run", "examples/proxy.java"));
    int upstreams = 0;
    for (Object word : words) {
      if (word instanceof Upstream upstream) {
        if (upstreams++ == 0) {
          arguments.add("0");
        }
        arguments.add(upstream.uri());
      } else {
        arguments.add(word.toString());
      }
    }
    return new Cli().withHttp().start(arguments.toArray(String[]::new));
  }

  private static String curl(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("curl", "-sS", "--noproxy", "*"));
    command.addAll(List.of("--max-time", "120"));
    command.addAll(List.of(arguments));
    try (Program curl = Program.start(command.toArray(String[]::new))) {
      String said = curl.end();
      assertTrue(said.startsWith("0\n"), said);
      return said.substring(2).stripTrailing();
    }
  }

  private int status(String url, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-o", "/dev/null", "-w", "%{http_code}", url));
    arguments.addAll(List.of(more));
    return Integer.parseInt(curl(arguments.toArray(String[]::new)));
  }

  /// A server that nobody here wrote, and handlers that do what upstreams do.
  private static final class Upstream implements AutoCloseable {
    final AtomicInteger orders = new AtomicInteger();
    final Semaphore asked = new Semaphore(0);
    final Semaphore later = new Semaphore(0);
    final CountDownLatch half = new CountDownLatch(1);
    final CountDownLatch rest = new CountDownLatch(1);
    volatile int health = 200;
    volatile boolean tearing;

    private final String name;
    private final HttpServer server;

    Upstream(String name, int port) throws IOException {
      this.name = name;
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", this::answer);
      server.start();
    }

    int port() {
      return server.getAddress().getPort();
    }

    String uri() {
      return "http://127.0.0.1:" + port();
    }

    private void answer(HttpExchange exchange) throws IOException {
      try (exchange) {
        byte[] body = exchange.getRequestBody().readAllBytes();
        switch (exchange.getRequestURI().getPath()) {
          case "/health" -> exchange.sendResponseHeaders(health, -1);
          case "/echo" -> send(exchange, body);
          case "/head" ->
              send(
                  exchange, new TreeMap<>(exchange.getRequestHeaders()).toString().getBytes(UTF_8));
          case "/torn" -> {
            if (exchange.getRequestMethod().equals("POST")) {
              orders.incrementAndGet();
            }
            if (!tearing) {
              tell(exchange);
            }
          }
          case "/later" -> {
            asked.release();
            later.acquire();
            tell(exchange);
          }
          case "/never" -> rest.await(60, TimeUnit.SECONDS);
          case "/halves" -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("first, ".getBytes(UTF_8));
            exchange.getResponseBody().flush();
            half.countDown();
            rest.await(60, TimeUnit.SECONDS);
            exchange.getResponseBody().write("second".getBytes(UTF_8));
          }
          default -> tell(exchange);
        }
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    private void tell(HttpExchange exchange) throws IOException {
      String text = name + " " + exchange.getRequestMethod() + " " + exchange.getRequestURI();
      send(exchange, text.getBytes(UTF_8));
    }

    private static void send(HttpExchange exchange, byte[] bytes) throws IOException {
      boolean head = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(200, head ? -1 : bytes.length);
      if (!head) {
        exchange.getResponseBody().write(bytes);
      }
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
