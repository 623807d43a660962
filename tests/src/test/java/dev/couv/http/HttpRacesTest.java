// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.http.HttpFixture.Talk;
import dev.couv.net.Tcp;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
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

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverEndsWhenever(int seed, @TempDir Path directory) throws Exception {
    HttpRaces.run(seed, 40, directory, HttpRacesTest::client);
  }

  /// Sends some requests, cut anywhere, reads some of the answers, and goes one way or another.
  private static void client(InetSocketAddress server, Random random) throws Exception {
    try (var stream = Tcp.connect(server)) {
      StringBuilder requests = new StringBuilder();
      for (int i = random.nextInt(6); i >= 0; i--) {
        requests.append(REQUESTS.get(random.nextInt(REQUESTS.size())));
      }
      Talk talk = new Talk(stream);
      int cut = random.nextInt(requests.length());
      talk.say(requests.substring(0, cut));
      HttpRaces.pause(random, 20);
      talk.say(requests.substring(cut));
      switch (random.nextInt(4)) {
        case 0 -> stream.reset();
        case 1 -> HttpRaces.pause(random, 50);
        case 2 -> talk.in.readUntil((byte) '\n');
        default -> Time.timeout(Duration.ofMillis(20), () -> talk.in.skip(1_000_000));
      }
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
