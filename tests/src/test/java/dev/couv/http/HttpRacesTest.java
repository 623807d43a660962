// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.http.HttpFixture.Talk;
import dev.couv.net.Tcp;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that ends, and clients that go, at any moment: nothing is left of them, which the leak check sees.
@InLoop
class HttpRacesTest {
  private static final List<String> REQUESTS =
      List.of(
          "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none",
          "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\none",
          "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET /f/file HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET /fails HTTP/1.1\r\nHost: a\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
          "nonsense\r\n\r\n",
          "GET /nothing HTTP/1.1\r\nHost: a\r\nX: ");

  private static HttpServer open(Path directory) throws IOException {
    Files.write(directory.resolve("file"), new byte[300_000]);
    var options = ServerOptions.DEFAULT.withGrace(Duration.ofMillis(5)).withOnFailure((_, _) -> {});
    HttpServer server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0), options);
    HttpFixture.simple(server);
    return server
        .files("/f", directory)
        .route(
            "GET",
            "/slow",
            _ -> {
              Time.sleep(Duration.ofMillis(2));
              return Response.text("slow");
            })
        .route(
            "GET",
            "/stream",
            _ ->
                Response.stream(
                    "x/y",
                    out -> {
                      for (int i = 0; i < 20; i++) {
                        out.write(new byte[20_000]);
                        Coroutine.pause();
                      }
                    }))
        .route(
            "GET",
            "/fails",
            _ -> {
              throw new IllegalStateException("planted");
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverEndsWhenever(int seed, @TempDir Path directory) throws Exception {
    Random random = new Random(seed);
    HttpServer server = open(directory);
    var serving = Coroutine.spawn(server::serve);
    var clients =
        Coroutine.spawn(
            () -> {
              for (int i = 0; i < 40; i++) {
                Coroutine.spawn(() -> client(server.local(), new Random(random.nextLong())));
                pause(random, 10);
              }
            });
    pause(random, 400);
    if (seed % 2 == 0) {
      serving.cancel();
    } else {
      server.close();
    }
    clients.await();
    while (!serving.status().isEnded()) {
      Time.sleep(Duration.ofMillis(1));
    }
    server.close();

    assertTrue(server.isClosed());
  }

  private static void pause(Random random, int most) {
    for (int i = random.nextInt(most); i > 0; i--) {
      Coroutine.pause();
    }
  }

  /// Sends some requests, cut anywhere, reads some of the answers, and goes one way or another.
  private static void client(InetSocketAddress server, Random random) {
    try (var stream = Tcp.connect(server)) {
      StringBuilder requests = new StringBuilder();
      for (int i = random.nextInt(6); i >= 0; i--) {
        requests.append(REQUESTS.get(random.nextInt(REQUESTS.size())));
      }
      Talk talk = new Talk(stream);
      int cut = random.nextInt(requests.length());
      talk.say(requests.substring(0, cut));
      pause(random, 20);
      talk.say(requests.substring(cut));
      switch (random.nextInt(4)) {
        case 0 -> stream.reset();
        case 1 -> pause(random, 50);
        case 2 -> talk.in.readUntil((byte) '\n');
        default -> Time.timeout(Duration.ofMillis(20), () -> talk.in.skip(1_000_000));
      }
    } catch (Exception gone) {
      // as it may be
    }
  }

  /// Bytes that are nearly requests: the server stays, and holds nothing of them.
  @ParameterizedTest
  @ValueSource(ints = {11, 12, 13, 14})
  void bytesThatAreNearlyRequestsHarmNobody(int seed) throws Exception {
    Random random = new Random(seed);
    String all = String.join("", REQUESTS.subList(0, 4));
    String odd = "\r\n\0\t :;,\u00ff0aZ/%?HTP";
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT.withOnFailure((_, _) -> {}))) {
      for (int i = 0; i < 150; i++) {
        StringBuilder bytes = new StringBuilder(all);
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
          int at = random.nextInt(bytes.length());
          char c = odd.charAt(random.nextInt(odd.length()));
          switch (random.nextInt(3)) {
            case 0 -> bytes.setCharAt(at, c);
            case 1 -> bytes.insert(at, c);
            default -> bytes.deleteCharAt(at);
          }
        }
        try (Talk talk = http.talk()) {
          talk.say(bytes.toString());
          talk.stream.shutdown();
          String answers = talk.rest();

          assertTrue(answers.isEmpty() || answers.startsWith("HTTP/1.1 "), answers);
        } catch (IOException reset) {
          // it was answered, and more came
        }
      }
      try (Talk talk = http.talk()) {
        assertEquals("hello", talk.say(REQUESTS.getFirst()).body());
      }
    }
  }
}
