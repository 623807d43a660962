// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.testing.InLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Cookies in both directions.
class CookieTest {
  private static final Cookie PLAIN = Cookie.of("a", "b");

  private static Map<String, String> cookies(String... headers) throws HttpFailure {
    Headers.Builder all = Headers.builder();
    for (String header : headers) {
      all.add("Cookie", header);
    }
    return request(all.build()).cookies();
  }

  private static Request request(Headers headers) {
    return Request.of("GET", "/", HttpVersion.HTTP_1_1, headers, HttpBody.NONE, Peer.NOBODY);
  }

  // ---- what comes

  @Test
  void pairsAreTakenApart() throws Exception {
    Request request = Request.of("GET", "/").withHeader("Cookie", "a=1; b=x=y==;c=; d=\"q s\"");

    assertEquals("1", request.cookie("a"));
    assertEquals("x=y==", request.cookie("b"));
    assertEquals("", request.cookie("c"));
    assertEquals("q s", request.cookie("d"));
    assertNull(request.cookie("A"), "names are case-sensitive");
    assertEquals(List.of("a", "b", "c", "d"), List.copyOf(request.cookies().keySet()));
    assertThrows(UnsupportedOperationException.class, () -> request.cookies().clear());
    assertEquals(Map.of(), Request.of("GET", "/").cookies());
  }

  @Test
  void whatIsNoneIsPassedOver() throws Exception {
    assertEquals(Map.of("a", "1"), cookies("; ;;x; =y; b c=2; (=3; a=1"));
    assertEquals(Map.of("a", "\""), cookies("a=\""));
    assertEquals(Map.of("a", ""), cookies("a=\"\""));
    assertEquals(Map.of("a", "x\"y\""), cookies("a=x\"y\""));
    assertEquals(Map.of("$Version", "1", "a", "ä"), cookies("$Version=1;\ta = ä "));
  }

  @Test
  void ofSeveralHeadersAllAreTakenAndOfOneNameTheFirst() throws Exception {
    assertEquals(Map.of("a", "1", "b", "2"), cookies("a=1; a=2", "b=2; a=3"));
  }

  @Test
  void thereAreNotTooMany() throws Exception {
    assertEquals(1, cookies("a=1;".repeat(1000)).size());
    for (String many : List.of("a=1;".repeat(1001), ";".repeat(1001))) {
      assertEquals(400, assertThrows(HttpFailure.class, () -> cookies(many)).status());
    }
  }

  // ---- what goes

  @Test
  void allThatIsSaidIsSent() {
    assertEquals("a=b; Path=/; HttpOnly; SameSite=Lax", PLAIN.header());
    assertEquals(
        "a=c; Path=/x; Domain=example.com; Max-Age=3600; Secure; SameSite=None",
        PLAIN
            .withValue("c")
            .withPath("/x")
            .withDomain("example.com")
            .withMaxAge(Duration.ofHours(1))
            .withSecure(true)
            .withHttpOnly(false)
            .withSameSite(SameSite.NONE)
            .header());
    assertEquals(
        "a=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict",
        PLAIN.withValue("").withMaxAge(Duration.ZERO).withSameSite(SameSite.STRICT).header());
    assertEquals(
        "a=b; Path=/; Max-Age=1; HttpOnly; SameSite=Lax",
        PLAIN.withMaxAge(Duration.ofMillis(5)).header(),
        "not yet over");
    assertEquals("cookie a", PLAIN.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"\r", "\n", "\0", "\t", "\u007f", ";", "ä", "\u2028", "\ud83d\ude00"})
  void nothingCanBeInjected(String hostile) {
    String text = "x" + hostile + "Set-Cookie: y";
    assertThrows(IllegalArgumentException.class, () -> Cookie.of(text, "b"));
    assertThrows(IllegalArgumentException.class, () -> PLAIN.withValue(text));
    assertThrows(IllegalArgumentException.class, () -> PLAIN.withPath("/" + text));
    assertThrows(IllegalArgumentException.class, () -> PLAIN.withDomain(text));
  }

  @Test
  void whatBrowsersDoNotKeepIsRefused() {
    for (String value : List.of("a b", "a,b", "\"a\"", "a\\b", "x".repeat(4096))) {
      assertThrows(IllegalArgumentException.class, () -> PLAIN.withValue(value), value);
    }
    assertThrows(IllegalArgumentException.class, () -> Cookie.of("", "b"));
    assertThrows(IllegalArgumentException.class, () -> Cookie.of("a=b", "b"));
    assertThrows(IllegalArgumentException.class, () -> PLAIN.withPath("x"));
    assertThrows(IllegalArgumentException.class, () -> PLAIN.withPath(""));
    assertThrows(IllegalArgumentException.class, () -> PLAIN.withMaxAge(Duration.ofNanos(-1)));
    for (Cookie insecure :
        List.of(
            PLAIN.withSameSite(SameSite.NONE),
            Cookie.of("__Secure-a", "b"),
            Cookie.of("__host-a", "b").withSecure(true).withPath("/x"),
            Cookie.of("__Host-a", "b").withSecure(true).withDomain("x"))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> Response.of(204).withCookie(insecure),
          insecure.name());
    }
    Response.of(204).withCookie(Cookie.of("__Host-a", "b").withSecure(true));
  }

  // ---- both

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void severalGoAndComeBack(HttpVersion version) throws Exception {
    try (var http = HttpFixture.open(CookieTest::routes)) {
      assertEquals(
          List.of("one=1; Path=/; HttpOnly; SameSite=Lax", "two=2; Path=/; HttpOnly; SameSite=Lax"),
          Asked.get(http, version, "/set").headers().all("set-cookie"));
      assertEquals(
          "200 {one=1, three=3, two=2}",
          Asked.get(http, version, "/get", "cookie", "one=1; two=\"2\"", "cookie", "three=3")
              .toString());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"--http1.1", "--http2-prior-knowledge"})
  void curlKeepsThem(String version, @TempDir Path directory) throws Exception {
    String jar = directory.resolve("jar").toString();
    try (var http = HttpFixture.open(CookieTest::routes)) {
      String base = "http://127.0.0.1:" + http.address().getPort();
      for (String path : List.of("/set", "/forget")) {
        String[] command = {"curl", "-sS", version, "-b", jar, "-c", jar, base + path};
        Files.writeString(
            Path.of(jar), Files.exists(Path.of(jar)) ? Files.readString(Path.of(jar)) : "");
        assertEquals("", OtherClients.run(command));
        assertEquals(
            path.equals("/set") ? "{one=1, two=2}" : "{two=2}",
            OtherClients.run("curl", "-sS", version, "-b", jar, base + "/get"));
      }
      assertEquals("{x=y}", OtherClients.run("curl", "-sS", version, "-b", "x=y", base + "/get"));
    }
  }

  private static void routes(HttpServer server) {
    server
        .route(
            "GET",
            "/set",
            _ ->
                Response.of(204)
                    .withCookie(Cookie.of("one", "1"))
                    .withCookie(Cookie.of("two", "2")))
        .route(
            "GET",
            "/forget",
            _ -> Response.of(204).withCookie(Cookie.of("one", "").withMaxAge(Duration.ZERO)))
        .route(
            "GET",
            "/get",
            request -> Response.text(new java.util.TreeMap<>(request.cookies()).toString()));
  }
}
