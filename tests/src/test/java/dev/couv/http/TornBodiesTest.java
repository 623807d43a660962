// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.error.BusyException;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A write of a body that is left before its end tears the body, whatever who writes it does then.
@InLoop
class TornBodiesTest {
  /// More than the kernels of both sides take.
  private static final int LARGE = 1 << 25;

  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static boolean isLeft(ContentWriter out, int bytes) throws Exception {
    try {
      Time.timeout(Duration.ofMillis(50), () -> out.write(new byte[bytes]));
      return false;
    } catch (TimeoutException left) {
      return true;
    }
  }

  private static ClientRequest put(RawServer server, int length, Content.Writing writing) {
    var request = ClientRequest.of("PUT", server.uri());
    return length < 0
        ? request.withStream("a/b", writing)
        : request.withStream("a/b", length, writing);
  }

  // ---- requests

  @ParameterizedTest
  @ValueSource(ints = {-1, LARGE})
  void aTornRequestFailsAndItsConnectionIsClosed(int length) throws Exception {
    Gate left = new Gate();
    try (var server =
            RawServer.open(
                talk -> {
                  talk.head();
                  left.await();
                  talk.say(OK);
                  while (talk.stream.read() != null) {}
                });
        var client = WebClient.open()) {
      var request =
          put(
              server,
              length,
              out -> {
                assertTrue(isLeft(out, LARGE));
                left.open();
              });

      var failure = assertThrows(IOException.class, () -> client.send(request));

      assertTrue(failure.getMessage().contains("left before its end"), failure::toString);
      assertEquals(0, client.idle());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, LARGE + 1})
  void nothingIsWrittenBehindWhatWasLeft(int length) throws Exception {
    Gate done = new Gate();
    var failures = new ArrayList<IOException>();
    try (var server = RawServer.open(talk -> done.await());
        var client = WebClient.open()) {
      var request =
          put(
              server,
              length,
              out -> {
                assertTrue(isLeft(out, LARGE));
                failures.add(assertThrows(IOException.class, () -> out.write("x")));
                failures.add(assertThrows(IOException.class, out::flush));
              });

      assertThrows(IOException.class, () -> client.send(request));

      assertEquals(2, failures.size());
      done.open();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4})
  void whoKeepsAWriterWritesNothingIntoTheNextRequest(int length) throws Exception {
    var kept = new ArrayList<ContentWriter>();
    try (var server = RawServer.answering(OK);
        var client = WebClient.open()) {
      var request =
          put(
              server,
              length,
              out -> {
                kept.add(out);
                out.write("body");
              });
      try (var answer = client.send(request.withHeader("X", "y"))) {
        assertEquals(200, answer.status());
      }
      assertThrows(IllegalStateException.class, () -> kept.getFirst().write(""));
      assertThrows(IllegalStateException.class, () -> kept.getFirst().write("GET /evil"));
      assertThrows(IllegalStateException.class, () -> kept.getFirst().flush());
    }
  }

  // ---- answers

  @ParameterizedTest
  @ValueSource(strings = {"/ends", "/goes-on", "/sized"})
  void aTornAnswerOfHttp2IsReset(String path) throws Exception {
    Gate left = new Gate();
    Content.Writing writing =
        out -> {
          assertTrue(isLeft(out, 1 << 18));
          left.open();
        };
    Content.Writing twice =
        out -> {
          writing.writeTo(out);
          out.write("SECOND");
        };
    try (var http =
            HttpFixture.open(
                ServerOptions.DEFAULT.withOnFailure((_, _) -> {}),
                server -> {
                  server.route("GET", "/ends", _ -> Response.stream("a/b", writing));
                  server.route("GET", "/goes-on", _ -> Response.stream("a/b", twice));
                  server.route("GET", "/sized", _ -> Response.stream("a/b", 1 << 18, writing));
                });
        var client = RawTwo.open(http)) {
      client.get(1, path);
      left.await(); // the client's flow control has let go of 64 KiB
      client.window(0, 1 << 20).window(1, 1 << 20);

      var answer = client.answer(1);

      assertFalse(answer.ended);
      assertTrue(answer.reset > 0);
    }
  }

  // ---- two who write

  /// Writes so many bytes, and is disturbed once it waits.
  private static Content.Writing disturbed(int bytes, Gate waits) {
    return out -> {
      Coroutine<Void> first = Coroutine.spawn(() -> out.write(new byte[bytes]));
      Coroutine.pause();
      try {
        assertThrows(BusyException.class, () -> out.write("x"));
        assertThrows(BusyException.class, out::flush);
      } finally {
        waits.open();
      }
      first.await();
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, LARGE})
  void aSecondWriterOfARequestIsRefusedAndTearsNothing(int length) throws Exception {
    Gate waits = new Gate();
    HttpHandler count =
        request -> {
          waits.await();
          return Response.text("" + request.body().copyTo(_ -> {}));
        };
    var limits = HttpLimits.DEFAULT.withBody(LARGE);
    try (var http =
            HttpFixture.open(
                ServerOptions.DEFAULT.withLimits(limits),
                server -> server.route("PUT", "/", count));
        var client = WebClient.open()) {
      var put = ClientRequest.of("PUT", "http://127.0.0.1:" + http.address().getPort() + "/");
      var request =
          length < 0
              ? put.withStream("a/b", disturbed(LARGE, waits))
              : put.withStream("a/b", length, disturbed(LARGE, waits));

      assertEquals("" + LARGE, client.send(request).text(100));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, LARGE})
  void aSecondWriterOfAnAnswerIsRefusedAndTearsNothing(int length) throws Exception {
    Gate waits = new Gate();
    HttpHandler both =
        _ ->
            length < 0
                ? Response.stream("a/b", disturbed(LARGE, waits))
                : Response.stream("a/b", length, disturbed(LARGE, waits));
    try (var http = HttpFixture.open(server -> server.route("GET", "/", both));
        var client = WebClient.open();
        var answer = client.get("http://127.0.0.1:" + http.address().getPort() + "/")) {
      waits.await();

      assertEquals(LARGE, answer.body().copyTo(_ -> {}));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1 << 18})
  void aSecondWriterOfAnAnswerOfHttp2IsRefusedAndTearsNothing(int length) throws Exception {
    Gate waits = new Gate();
    HttpHandler both =
        _ ->
            length < 0
                ? Response.stream("a/b", disturbed(1 << 18, waits))
                : Response.stream("a/b", length, disturbed(1 << 18, waits));
    try (var http = HttpFixture.open(server -> server.route("GET", "/", both));
        var client = RawTwo.open(http)) {
      client.get(1, "/");
      waits.await();
      client.window(0, 1 << 20).window(1, 1 << 20);

      var answer = client.answer(1);

      assertTrue(answer.ended);
      assertEquals(1 << 18, answer.body.length());
    }
  }

  /// Its rest would come behind the end.
  @Test
  void anAnswerThatEndsInTheWriteOfAnotherIsTorn() throws Exception {
    HttpHandler early =
        _ ->
            Response.stream(
                "a/b",
                out -> {
                  Coroutine.spawn(
                      () -> assertThrows(IOException.class, () -> out.write(new byte[LARGE])));
                  Coroutine.pause();
                });
    try (var http = HttpFixture.open(server -> server.route("GET", "/", early));
        var client = WebClient.open()) {
      var get = ClientRequest.of("GET", "http://127.0.0.1:" + http.address().getPort() + "/");

      assertThrows(IOException.class, () -> client.send(get).body().copyTo(_ -> {}));
    }
  }
}
