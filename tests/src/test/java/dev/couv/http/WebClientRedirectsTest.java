// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
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
  @ValueSource(
      strings = {
        "Content-Length: 5\r\n\r\n",
        "Content-Length: 5\r\n\r\nhalf",
        "Transfer-Encoding: chunked\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n4\r\nmo",
        "Transfer-Encoding: chunked\r\n\r\nno chunk\r\n",
        "\r\nto the end",
      })
  void aBodyThatNobodyWantsIsNotWaitedFor(String rest, TestClock clock) throws Exception {
    Gate done = new Gate();
    try (var server =
            RawServer.open(
                talk -> {
                  talk.head();
                  talk.say("HTTP/1.1 302 Found\r\nLocation: /there\r\n" + rest);
                  done.await();
                },
                talk -> {
                  talk.head();
                  talk.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthere");
                  talk.rest();
                });
        var client = WebClient.open();
        var answer = client.get(server.uri())) {
      assertEquals("there", answer.text(100));
      assertEquals(0, clock.elapsed().toSeconds());
      done.open();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\n\r\nmoved",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nmoved\r\n3\r\n...\r\n0\r\nX: y\r\n\r\n",
      })
  void aBodyThatIsHereLeavesTheConnectionToTheNext(String rest) throws Exception {
    try (var server =
            RawServer.open(
                talk -> {
                  talk.head();
                  talk.say("HTTP/1.1 302 Found\r\nLocation: /there\r\n" + rest);
                  talk.head();
                  talk.say("HTTP/1.1 200 OK\r\n" + rest);
                  talk.head();
                  talk.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthere");
                  talk.rest();
                });
        var client = WebClient.open()) {
      var unread = client.get(server.uri());
      unread.close();
      assertThrows(ClosedChannelException.class, () -> unread.body().read());
      try (var answer = client.get(server.uri())) {
        assertEquals("there", answer.text(100));
      }
      assertEquals(1, server.connections());
    }
  }

  /// The bytes of a header are characters to us, one by one: what was UTF-8 is asked for as that.
  @ParameterizedTest
  @CsvSource({
    "/caf\u00c3\u00a9, /caf%C3%A9",
    "/\u00c3\u00a0?\u00e2\u0082\u00ac=%20, /%C3%A0?%E2%82%AC=%20",
    "/caf\u00e9, /caf%E9",
  })
  void bytesOfALocationAreAskedForAsTheyCame(String location, String asked) throws Exception {
    var came = new ArrayList<String>();
    try (var server =
            RawServer.open(
                talk -> {
                  talk.head();
                  talk.say("HTTP/1.1 302 Found\r\nLocation: " + location);
                  talk.say("\r\nContent-Length: 0\r\n\r\n");
                  came.add(talk.head().split(" ", 3)[1]);
                  talk.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                });
        var client = WebClient.open();
        var answer = client.get(server.uri())) {
      assertEquals(200, answer.status());
      assertEquals(List.of(asked), came);
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

  @ParameterizedTest
  @CsvSource({
    "?p=2, /dir/page?p=2",
    "'', /dir/page?q",
    "#part, /dir/page?q",
    "page, /dir/page",
    "?p=2#x, /dir/page?p=2",
    "../../../up, /up",
    "./, /dir/",
    "//HOST/x, /x",
    "b/../c/., /dir/c/",
  })
  void referencesAreResolvedByTheRulesOfToday(String location, String asked) throws Exception {
    var came = new ArrayList<String>();
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/{path...}",
                        request -> {
                          came.add(request.target());
                          String host = request.header("host");
                          return came.size() > 1
                              ? Response.text("here")
                              : Response.redirect(location.replace("HOST", host));
                        }));
        var client = WebClient.open()) {
      String base = "http://127.0.0.1:" + http.address().getPort();
      try (var answer = client.get(base + "/dir/page?q#top")) {
        assertEquals(200, answer.status());
        String part = location.contains("#") ? location.substring(location.indexOf('#')) : "#top";
        assertEquals(base + asked + part, answer.uri().toString());
      }
    }
    assertEquals(List.of("/dir/page?q", asked), came);
  }

  /// The examples of RFC 3986, 5.4; of those with nothing behind the `#` it has a fragment of its own.
  @ParameterizedTest
  @CsvSource({
    "g:h, g:h",
    "g, http://a/b/c/g",
    "./g, http://a/b/c/g",
    "g/, http://a/b/c/g/",
    "/g, http://a/g",
    "//g, http://g",
    "?y, http://a/b/c/d;p?y",
    "g?y, http://a/b/c/g?y",
    "#s, http://a/b/c/d;p?q#s",
    "g#s, http://a/b/c/g#s",
    "g?y#s, http://a/b/c/g?y#s",
    ";x, http://a/b/c/;x",
    "g;x, http://a/b/c/g;x",
    "g;x?y#s, http://a/b/c/g;x?y#s",
    "'', http://a/b/c/d;p?q",
    "., http://a/b/c/",
    "./, http://a/b/c/",
    ".., http://a/b/",
    "../, http://a/b/",
    "../g, http://a/b/g",
    "../.., http://a/",
    "../../, http://a/",
    "../../g, http://a/g",
    "../../../g, http://a/g",
    "../../../../g, http://a/g",
    "/./g, http://a/g",
    "/../g, http://a/g",
    "g., http://a/b/c/g.",
    ".g, http://a/b/c/.g",
    "g.., http://a/b/c/g..",
    "..g, http://a/b/c/..g",
    "./../g, http://a/b/g",
    "./g/., http://a/b/c/g/",
    "g/./h, http://a/b/c/g/h",
    "g/../h, http://a/b/c/h",
    "g;x=1/./y, http://a/b/c/g;x=1/y",
    "g;x=1/../y, http://a/b/c/y",
    "g?y/./x, http://a/b/c/g?y/./x",
    "g#s/../x, http://a/b/c/g#s/../x",
    "http:g, http:g",
  })
  void theExamplesOfTheRfc(String reference, String whole) {
    var base = URI.create("http://a/b/c/d;p?q");
    assertEquals(whole, References.resolve(base, reference).toString());
  }

  @Test
  void besideWhatHasNoPathIsBelowTheRoot() {
    assertEquals("http://a/x", References.resolve(URI.create("http://a"), "x").toString());
    assertEquals("http://a?x", References.resolve(URI.create("http://a"), "?x").toString());
  }
}
