// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a client holds and waits for at most, whatever it asks and whoever answers.
@InLoop
class WebClientLimitsTest {
  private static String uri(HttpFixture http, String path) {
    return "http://127.0.0.1:" + http.address().getPort() + path;
  }

  /// Tells from which port each request came.
  private static HttpFixture serve() throws IOException {
    return HttpFixture.open(
        server -> {
          server.route("GET", "/port", request -> Response.text(request.remote().toString()));
          server.route("GET", "/large", request -> Response.bytes("x/y", new byte[1 << 20]));
        });
  }

  private static String text(ClientResponse answer) throws IOException {
    try (answer) {
      return answer.text(100);
    }
  }

  @Test
  void whoAsksManyOriginsKeepsNoMoreConnectionsThanThereMayBe() throws Exception {
    var servers = new ArrayList<HttpFixture>();
    try (var client = WebClient.open(ClientOptions.DEFAULT.withConnections(2, 4))) {
      for (int i = 0; i < 12; i++) {
        servers.add(serve());
      }
      var ports = new ArrayList<String>();
      for (var http : servers) {
        ports.add(text(client.get(uri(http, "/port"))));
        assertTrue(client.idle() <= 4, () -> client.idle() + " are kept");
      }
      assertEquals(4, client.idle());
      for (int i = 11; i >= 8; i--) { // those that were used last
        assertEquals(ports.get(i), text(client.get(uri(servers.get(i), "/port"))));
      }

      // Those in use count as well.
      try (var one = client.get(uri(servers.get(0), "/large"));
          var other = client.get(uri(servers.get(1), "/large"))) {
        assertEquals(200, one.status());
        assertEquals(200, other.status());
        assertEquals(2, client.idle());
      }
    } finally {
      for (var http : servers) {
        http.close();
      }
    }
  }

  @Test
  void aTurnThatDoesNotComeIsNotWaitedForForEver(TestClock clock) throws Exception {
    try (var server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        var client = WebClient.open(ClientOptions.DEFAULT.withConnections(1, 5));
        var narrow = WebClient.open(ClientOptions.DEFAULT.withConnections(5, 1))) {
      for (var each : List.of(client, narrow)) {
        try (var forgotten = each.get(server.uri())) {
          var before = clock.elapsed();
          var late =
              assertThrows(SocketTimeoutException.class, () -> each.get(server.uri()).close());
          assertTrue(late.getMessage().startsWith("a turn to ask http://"), late::toString);
          assertEquals(Duration.ofMinutes(1), clock.elapsed().minus(before));
          assertEquals(200, forgotten.status());
        }
        each.get(server.uri()).close(); // and those who gave up hold no place
      }
    }
  }
}
