// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Who answers which path.
class RouterTest {
  private final Router router = new Router();

  private void add(String method, String path) {
    router.add(method, path, request -> Response.text(method + " " + path));
  }

  private String found(String method, String target) throws Exception {
    var content = (Content.Bytes) router.handle(Request.of(method, target)).content();
    return new String(content.bytes());
  }

  private Response refused(String method, String target) {
    return assertThrows(HttpFailure.class, () -> found(method, target)).response();
  }

  @Test
  void whatIsWrittenGoesBeforeWhatIsNamed() throws Exception {
    add("GET", "/users/{id}");
    add("GET", "/users/me");
    add("GET", "/users/{id}/posts");
    add("GET", "/users/me/{thing}/x");
    add("GET", "/{rest...}");
    add("GET", "/");

    assertEquals("GET /users/{id}", found("GET", "/users/7?x=y"));
    assertEquals("GET /users/me", found("GET", "/users/me"));
    assertEquals("GET /users/me", found("GET", "/users/m%65"));
    assertEquals("GET /users/{id}/posts", found("GET", "/users/me/posts"));
    assertEquals("GET /users/me/{thing}/x", found("GET", "/users/me/posts/x"));
    assertEquals("GET /{rest...}", found("GET", "/users/"));
    assertEquals("GET /{rest...}", found("GET", "/a//b"));
    assertEquals("GET /", found("GET", "/?a"));
  }

  @Test
  void valuesAreDecoded() throws Exception {
    router.add("GET", "/{a}/x/{b...}", r -> Response.text(r.value("a") + "|" + r.value("b")));

    assertEquals("ä b|c/d", found("GET", "/%C3%A4%20b/x/c/d"));
    assertEquals("a/b|", found("GET", "/a%2Fb/x/"));
    assertEquals("+|+", found("GET", "/+/x/+"));
    assertThrows(IllegalArgumentException.class, () -> Request.of("GET", "/").value("nobody"));
  }

  @Test
  void aRequestWithAnotherHeaderOrBodyHasTheSameValues() throws Exception {
    router.add(
        "PUT",
        "/{a}",
        r -> {
          var other = r.withHeader("X", "y").withBody(HttpBody.of((byte) 'z'));
          return Response.text(
              other.value("a") + other.parameter("q") + other.header("x") + other.body().text(9));
        });

    assertEquals("17yz", found("PUT", "/1?q=7"));
  }

  @Test
  void whatIsMalformedIsRefused() {
    add("GET", "/{a...}");

    for (String path :
        List.of(
            "/%", "/%4", "/%zz", "/%ff", "/%00", "/%c0%ae", "/a/../b", "/.", "/%2e%2E/x", "/%2e")) {
      assertEquals(400, refused("GET", path).status(), path);
    }
  }

  /// Browsers take it for a slash, and two at the beginning are another host.
  @InLoop
  @Test
  void nobodyIsLedToAnotherHostByABackslash() throws Exception {
    try (var http = HttpFixture.open(server -> server.files("/{tenant}", Path.of(".")))) {
      assertTrue(http.all("GET /x HTTP/1.0\r\n\r\n").startsWith("HTTP/1.1 301 "));
      assertTrue(http.all("GET /\\evil.com HTTP/1.0\r\n\r\n").startsWith("HTTP/1.1 404 "));
    }
  }

  @Test
  void dotsBehindAnEncodedSlashAreRefused() throws Exception {
    router.add("PUT", "/files/{path...}", request -> Response.text(request.value("path")));

    for (String path :
        List.of("..%2F..%2Fx", "a%2f..", "a%5C..%5cb", "%2e%2F", "%2F.%2Fx", "..%5C")) {
      assertEquals(400, refused("PUT", "/files/" + path).status(), path);
    }
    assertEquals("a/b", found("PUT", "/files/a%2Fb"));
    assertEquals("..a/b../.c/...", found("PUT", "/files/..a%2Fb..%2F.c%2F..."));
    assertEquals("a.b\\x.y", found("PUT", "/files/a.b%5Cx.y"));
  }

  @Test
  void otherMethodsAreToldWhichThereAre() throws Exception {
    add("GET", "/a");
    add("PUT", "/a");
    add("*", "/b");
    add("POST", "/b");

    assertEquals(405, refused("DELETE", "/a").status());
    assertEquals("GET, HEAD, OPTIONS, PUT", refused("DELETE", "/a").headers().get("allow"));
    assertEquals("GET /a", found("HEAD", "/a"));
    assertEquals("* /b", found("DELETE", "/b"));
    assertEquals("* /b", found("OPTIONS", "/b"));
    assertEquals("POST /b", found("POST", "/b"));
    Response options = router.handle(Request.of("OPTIONS", "/a"));
    assertEquals(204, options.status());
    assertEquals("GET, HEAD, OPTIONS, PUT", options.headers().get("allow"));
    assertEquals(204, router.handle(Request.of("OPTIONS", "*")).status());
    assertEquals(404, refused("GET", "/c").status());
    assertEquals(404, refused("GET", "/a/").status());
  }

  @Test
  void routesThatMakeNoSenseAreRefused() {
    add("GET", "/a/{x}");

    for (String path :
        List.of(
            "",
            "a",
            "/a/{x}",
            "/a/{y}",
            "/{}",
            "/b{x}",
            "/{x...}/y",
            "/{x}/{x}",
            "/{x}{y}",
            "/:x",
            "/x/*",
            "/x/**",
            "/x?y=1",
            "/x#y")) {
      assertThrows(IllegalArgumentException.class, () -> add("GET", path), path);
    }
    var hint = assertThrows(IllegalArgumentException.class, () -> add("GET", "/users/:id"));
    assertEquals("a name is written {id}: /users/:id", hint.getMessage());
    add("POST", "/lists/7:close"); // a colon elsewhere is one
    assertThrows(IllegalArgumentException.class, () -> add("GE T", "/c"));
    assertThrows(IllegalArgumentException.class, () -> add("", "/c"));
    assertThrows(IllegalArgumentException.class, () -> add("get", "/c"));
  }

  @Test
  void parametersAreDecodedAndMalformedOnesRefused() throws Exception {
    Request request = Request.of("GET", "/?a=1&b=%C3%A4+x&a=2&c&=d&&e=f=g");

    assertEquals("1", request.parameter("a"));
    assertEquals(List.of("1", "2"), request.parameters("a"));
    assertEquals("ä x", request.parameter("b"));
    assertEquals("", request.parameter("c"));
    assertEquals("f=g", request.parameter("e"));
    assertEquals(null, request.parameter("z"));
    assertEquals("/", request.path());
    assertEquals(
        400,
        assertThrows(HttpFailure.class, () -> Request.of("GET", "/?a=%f").parameter("a")).status());
    String many = "/?" + "a&".repeat(1001);
    assertThrows(HttpFailure.class, () -> Request.of("GET", many).parameter("a"));
  }
}
