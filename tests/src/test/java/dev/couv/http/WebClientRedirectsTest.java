// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Where a client goes when it is sent elsewhere, and what it takes along.
@InLoop
class WebClientRedirectsTest {
  @ParameterizedTest
  @CsvSource({
    "GET, 301, GET, false", "POST, 301, GET, false", "POST, 302, GET, false", "PUT, 302, PUT, true",
    "PUT, 303, GET, false", "HEAD, 303, HEAD, false", "POST, 307, POST, true",
        "PUT, 308, PUT, true",
  })
  void redirectsAreFollowedByTheirRules(String method, int status, String then, boolean body)
      throws Exception {
    var came = new ArrayList<String>();
    try (var http =
            HttpFixture.open(
                server -> {
                  server.route(
                      "*", "/old", r -> Response.redirect("new/er?x=1").withStatus(status));
                  server.route(
                      "*",
                      "/new/er",
                      r -> {
                        came.add(r + " " + r.body().text(100) + " " + r.header("content-type"));
                        return Response.text("here");
                      });
                });
        var client = WebClient.open()) {
      var request =
          ClientRequest.of(method, "http://127.0.0.1:" + http.address().getPort() + "/old");
      boolean has = method.startsWith("P");
      try (var answer = client.send(has ? request.withText("body") : request)) {
        assertEquals(200, answer.status());
        assertTrue(answer.uri().toString().endsWith("/new/er?x=1"));
      }
      String type = body ? "text/plain; charset=utf-8" : "null";
      assertEquals(List.of(then + " /new/er?x=1 " + (body ? "body" : "") + " " + type), came);
    }
  }

  @Test
  void credentialsAreForTheirOriginOnly() throws Exception {
    var seen = new ArrayList<String>();
    try (var other =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/",
                        r -> {
                          seen.add(r.header("authorization") + r.header("cookie") + r.header("x"));
                          return Response.of(204);
                        }));
        var http =
            HttpFixture.open(
                server -> {
                  server.route(
                      "GET",
                      "/there",
                      r -> Response.redirect("http://127.0.0.1:" + other.address().getPort()));
                  server.route("GET", "/here", r -> Response.redirect("/secret"));
                  server.route(
                      "GET",
                      "/secret",
                      r -> {
                        seen.add(r.header("authorization") + r.header("cookie") + r.header("x"));
                        return Response.of(204);
                      });
                });
        var client = WebClient.open()) {
      for (String path : List.of("here", "there")) {
        client
            .send(
                ClientRequest.of("GET", "http://127.0.0.1:" + http.address().getPort() + "/" + path)
                    .withHeader("Authorization", "a")
                    .withHeader("Cookie", "c")
                    .withHeader("X", "x"))
            .close();
      }
    }
    assertEquals(List.of("acx", "nullnullx"), seen);
  }

  @Test
  void redirectsInACircleHaveAnEnd() throws Exception {
    try (var server =
            RawServer.answering(
                "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n");
        var client = WebClient.open();
        var none = WebClient.open(ClientOptions.DEFAULT.withRedirects(0))) {
      assertThrows(ProtocolException.class, () -> client.get(server.uri()));
      assertEquals(302, none.get(server.uri()).status());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:///etc/passwd", "http://u:p@a/", "ws://a/", "::", "mailto:a@b"})
  void redirectsToElsewhereAreForWhoAsked(String location) throws Exception {
    try (var server =
            RawServer.answering(
                "HTTP/1.1 302 Found\r\nLocation: " + location + "\r\nContent-Length: 0\r\n\r\n");
        var client = WebClient.open()) {
      assertEquals(302, client.get(server.uri()).status());
    }
  }
}
