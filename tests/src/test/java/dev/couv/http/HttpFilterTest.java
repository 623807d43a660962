// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What stands before the routes of a server.
@InLoop
class HttpFilterTest {
  private static final ScopedValue<String> USER = ScopedValue.newInstance();

  @TempDir Path directory;

  static Stream<HttpVersion> versions() {
    return Stream.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2);
  }

  private static HttpFilter adding(String word) {
    return (request, next) -> {
      String before = request.header("x-way");
      Response response =
          next.handle(request.withHeader("X-Way", (before == null ? "" : before) + word));
      return response.plusHeader("X-Back", word);
    };
  }

  @ParameterizedTest
  @MethodSource("versions")
  void theyRunInTheirOrderBeforeEverything(HttpVersion version) throws Exception {
    Files.writeString(directory.resolve("a.txt"), "file");
    try (var http =
        HttpFixture.open(
            server ->
                server
                    .filter(adding("a"))
                    .filter(adding("b"))
                    .route("GET", "/{id}", r -> Response.text(r.header("x-way") + r.value("id")))
                    .route("GET", "/events", _ -> Response.events(e -> e.send("x")))
                    .webSocket("/socket", _ -> {})
                    .files("/f", directory))) {
      assertEquals("200 ab7", Asked.get(http, version, "/7").toString());
      assertEquals("200 file", Asked.get(http, version, "/f/a.txt").toString());
      assertEquals("200 data: x\n\n", Asked.get(http, version, "/events").toString());
      var status =
          Map.of(
              "/7",
              200,
              "/f/a.txt",
              200,
              "/events",
              200,
              "/f/none",
              404,
              "/x/y",
              404,
              "/socket",
              426,
              "/%",
              400);
      for (var each : status.entrySet()) {
        Asked answer = Asked.get(http, version, each.getKey());
        assertEquals(each.getValue(), answer.status(), each.getKey());
        assertEquals(List.of("b", "a"), answer.headers().all("x-back"), each.getKey());
      }
      Asked other = Asked.ask(http, version, "DELETE", "/7", "");
      assertEquals(405, other.status());
      assertEquals("GET, HEAD, OPTIONS", other.header("allow"));
      assertEquals("b", other.header("x-back"));
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void oneAnswersItselfOrRefuses(HttpVersion version) throws Exception {
    List<String> asked = new ArrayList<>();
    try (var http =
        HttpFixture.open(
            server ->
                server
                    .filter(adding("a"))
                    .filter(
                        (request, next) -> {
                          if (request.header("authorization") == null) {
                            throw new HttpFailure(
                                Response.of(401).withHeader("WWW-Authenticate", "Basic"));
                          }
                          return request.method().equals("OPTIONS")
                              ? Response.of(204)
                              : next.handle(request);
                        })
                    .route(
                        "*",
                        "/",
                        request -> {
                          asked.add(request.method());
                          return Response.text("in");
                        }))) {
      Asked refused = Asked.get(http, version, "/");
      assertEquals(401, refused.status());
      assertEquals("Basic", refused.header("www-authenticate"));
      assertEquals("a", refused.header("x-back"));
      assertEquals(List.of(), asked);
      assertEquals("200 in", Asked.get(http, version, "/", "authorization", "x").toString());
      assertEquals(
          204, Asked.ask(http, version, "OPTIONS", "/", "", "authorization", "x").status());
      assertEquals(List.of("GET"), asked);
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void oneCatchesWhatAHandlerThrowsAndTellsItSomething(HttpVersion version) throws Exception {
    List<Throwable> told = new ArrayList<>();
    HttpFilter named =
        (request, next) -> ScopedValue.where(USER, "ada").call(() -> next.handle(request));
    HttpFilter catching =
        (request, next) -> {
          try {
            return next.handle(request);
          } catch (IOException failure) {
            return Response.text(failure.getMessage()).withStatus(503);
          }
        };
    try (var http =
        HttpFixture.open(
            ServerOptions.DEFAULT.withOnFailure((_, failure) -> told.add(failure)),
            server ->
                server
                    .filter(named)
                    .filter(catching)
                    .route("GET", "/io", _ -> failing(new IOException("away")))
                    .route("GET", "/other", _ -> failing(new ArithmeticException()))
                    .route("GET", "/null", _ -> null)
                    .route("GET", "/user", _ -> Response.text(USER.get())))) {
      assertEquals("503 away", Asked.get(http, version, "/io").toString());
      assertEquals(List.of(), told);
      assertEquals("200 ada", Asked.get(http, version, "/user").toString());
      assertEquals(500, Asked.get(http, version, "/other").status());
      assertEquals(500, Asked.get(http, version, "/null").status());
      assertEquals(
          List.of(ArithmeticException.class, NullPointerException.class),
          told.stream().map(Object::getClass).toList());
    }
  }

  private static Response failing(Exception failure) throws Exception {
    throw failure;
  }

  @Test
  void whatIsToBeClosedIsWhateverAFilterMakesOfIt() throws Exception {
    List<String> closed = new ArrayList<>();
    Filters filters =
        new Filters(request -> Response.text("x").closing(() -> closed.add(request.path())));
    filters.add(
        (request, next) -> {
          Response response = next.handle(request);
          return switch (request.path()) {
            case "/kept" -> response.withHeader("A", "b");
            case "/other" -> Response.text("other").closing(() -> closed.add("mine"));
            case "/twice" -> next.handle(request);
            case "/refused" -> throw new HttpFailure(403, "no");
            case "/failed" -> throw new IOException("failed");
            default -> null;
          };
        });
    filters.add((request, next) -> next.handle(request));

    for (String path : List.of("/kept", "/other", "/twice", "/refused")) {
      Response response = filters.handle(Request.of("GET", path));
      assertEquals(List.of(), closed, path);
      for (AutoCloseable each : response.toClose()) {
        each.close();
      }
      assertEquals(
          switch (path) {
            case "/other" -> List.of(path, "mine");
            case "/twice" -> List.of(path, path);
            default -> List.of(path);
          },
          closed.stream().sorted().toList(),
          path);
      closed.clear();
    }
    assertThrows(IOException.class, () -> filters.handle(Request.of("GET", "/failed")));
    assertThrows(NullPointerException.class, () -> filters.handle(Request.of("GET", "/null")));
    assertEquals(List.of("/failed", "/null"), closed);
  }

  @Test
  void whoIsCancelledInAFilterLeavesNothingOpen() throws Exception {
    List<String> closed = new ArrayList<>();
    Gate gate = new Gate();
    Filters filters = new Filters(_ -> Response.of(204).closing(() -> closed.add("it")));
    filters.add(
        (request, next) -> {
          Response response = next.handle(request);
          gate.await();
          return response;
        });
    Coroutine<Response> asking = Coroutine.spawn(() -> filters.handle(Request.of("GET", "/")));
    Coroutine.pause();
    asking.cancel();

    assertThrows(CancellationException.class, asking::await);
    assertEquals(List.of("it"), closed);
  }

  /// A file that a filter drops is closed: the leak check looks.
  @ParameterizedTest
  @MethodSource("versions")
  void aFileThatIsNotSentIsClosed(HttpVersion version) throws Exception {
    Files.writeString(directory.resolve("a.txt"), "file");
    try (var http =
        HttpFixture.open(
            server ->
                server
                    .filter(
                        (request, next) -> {
                          Response response = next.handle(request);
                          assertTrue(response.toClose().size() == 1);
                          if (request.query().equals("fail")) {
                            throw new IllegalStateException("dropped");
                          }
                          return Response.text("instead");
                        })
                    .files("/f", directory))) {
      assertEquals("200 instead", Asked.get(http, version, "/f/a.txt").toString());
      assertEquals(500, Asked.get(http, version, "/f/a.txt?fail").status());
    }
  }

  @Test
  void oneThatIsAddedLaterIsForRequestsThatComeLater() throws Exception {
    Filters filters = new Filters(_ -> Response.text("x"));
    filters.add(
        (request, next) -> {
          filters.add(adding("late"));
          return next.handle(request);
        });

    assertEquals(null, filters.handle(Request.of("GET", "/")).headers().get("x-back"));
    assertEquals("late", filters.handle(Request.of("GET", "/")).headers().get("x-back"));
    assertThrows(NullPointerException.class, () -> filters.add(null));
  }
}
