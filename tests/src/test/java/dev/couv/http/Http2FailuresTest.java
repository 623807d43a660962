// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// What becomes of requests over HTTP/2 when somebody fails, goes, is cancelled, or ends.
@InLoop
class Http2FailuresTest {
  private static final int CANCEL = 8;

  @Test
  void aFailureIsTheRequestsAndNotTheConnections() throws Exception {
    List<Throwable> told = new ArrayList<>();
    var options = ServerOptions.DEFAULT.withOnFailure((_, failure) -> told.add(failure));
    try (var http =
            HttpFixture.open(
                options,
                server ->
                    server
                        .route("GET", "/", _ -> Response.text("hello"))
                        .route(
                            "GET",
                            "/fails",
                            _ -> {
                              throw new IllegalStateException("planted");
                            })
                        .route(
                            "GET", "/upgrade", _ -> Response.upgrade("x", Headers.EMPTY, _ -> {}))
                        .route(
                            "GET",
                            "/tears",
                            _ ->
                                Response.stream(
                                    "x/y",
                                    out -> {
                                      out.write("beg");
                                      out.flush();
                                      throw new IllegalStateException("planted");
                                    })));
        var client = RawTwo.open(http)) {
      assertEquals(500, client.get(1, "/fails").answer(1).status);
      assertEquals("200 beg reset 2", client.get(3, "/tears").answer(3).toString());
      assertEquals(500, client.get(5, "/upgrade").answer(5).status);
      assertEquals("200 hello", client.get(7, "/").answer(7).toString());
      assertEquals(3, told.size());
    }
  }

  @Test
  void aResetFailsReadingAndWriting() throws Exception {
    List<Throwable> seen = new ArrayList<>();
    Gate writing = new Gate();
    try (var http =
            HttpFixture.open(
                ServerOptions.DEFAULT.withOnFailure((_, failure) -> seen.add(failure)),
                server ->
                    server
                        .route("GET", "/", _ -> Response.text("hello"))
                        .route(
                            "POST",
                            "/reads",
                            request -> {
                              try {
                                return Response.text(request.body().text(1000));
                              } catch (IOException failed) {
                                seen.add(failed);
                                throw failed;
                              }
                            })
                        .route(
                            "GET",
                            "/writes",
                            _ ->
                                Response.stream(
                                    "x/y",
                                    out -> {
                                      writing.open();
                                      try {
                                        out.write(new byte[1 << 20]);
                                      } catch (IOException failed) {
                                        seen.add(failed);
                                        throw failed;
                                      }
                                    })));
        var client = RawTwo.open(http)) {
      client.post(1, "/reads").data(1, "some", false).sync();
      client.reset(1, CANCEL).sync();
      client.get(3, "/writes");
      writing.await();
      client.sync().reset(3, CANCEL).window(0, 65_535).sync();

      assertEquals("200 hello", client.get(5, "/").answer(5).toString());
      assertEquals(2, seen.size(), () -> "" + seen);
      assertInstanceOf(EOFException.class, seen.getFirst());
      assertTrue(seen.get(1).getMessage().contains("the client has gone"), () -> "" + seen);
      assertTrue(
          client.of(1).reset < 0 && client.of(3).reset < 0, "a reset is not answered by one");
    }
  }

  @Test
  void whoIsCancelledResetsHisStream() throws Exception {
    List<Coroutine<?>> handlers = new ArrayList<>();
    try (var http =
            HttpFixture.open(
                server ->
                    server
                        .route("GET", "/", _ -> Response.text("hello"))
                        .route(
                            "GET",
                            "/waits",
                            _ -> {
                              handlers.add(Coroutine.current());
                              Time.sleep(Duration.ofHours(1));
                              return Response.of(204);
                            }));
        var client = RawTwo.open(http)) {
      client.get(1, "/waits").sync();
      Loop.awaitIdle();
      handlers.getFirst().cancel();

      assertEquals(CANCEL, client.answer(1).reset);
      assertEquals("200 hello", client.get(3, "/").answer(3).toString());
    }
  }

  @Test
  void aBodyThatNobodyReadsIsSkippedOrRefused(TestClock clock) throws Exception {
    try (var http =
            HttpFixture.open(server -> server.route("POST", "/", _ -> Response.text("no")));
        var client = RawTwo.open(http)) {
      assertEquals(
          "200 no", client.post(1, "/").data(1, "x".repeat(100), true).answer(1).toString());
      client.post(3, "/");
      for (int i = 0; i < 3; i++) {
        client.data(3, "x".repeat(10_000), i == 2);
      }
      assertEquals("200 no", client.answer(3).toString());

      client.post(5, "/", "content-length", "1000000");
      client.await(frame -> frame.type() == RawTwo.RST_STREAM && frame.stream() == 5);
      assertEquals("200 no reset 0", client.of(5).toString());
      // What is on its way is nobody's, and counts for the window of the connection all the same.
      client.data(5, "x".repeat(16_000), true).data(3, "", true);
    }
  }

  @Test
  void aBodyThatIsTooLargeIsRefused(TestClock clock) throws Exception {
    var limits = HttpLimits.DEFAULT.withBody(1000);
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT.withLimits(limits));
        var client = RawTwo.open(http)) {
      assertEquals(413, client.post(1, "/", "content-length", "1001").answer(1).status);
      client.post(3, "/").data(3, "x".repeat(600), false).data(3, "x".repeat(600), false);
      assertEquals(413, client.answer(3).status);
      assertEquals("200 hello", client.get(5, "/").answer(5).toString());
    }
  }

  @Test
  void theConnectionThatBreaksFailsEveryHandler() throws Exception {
    List<String> seen = new ArrayList<>();
    try (var http =
        HttpFixture.open(
            server ->
                server.route(
                    "POST",
                    "/",
                    request -> {
                      try {
                        request.body().read(ByteBuffer.allocate(10));
                      } catch (IOException gone) {
                        seen.add(gone.getClass().getSimpleName());
                      }
                      return Response.of(204);
                    }))) {
      for (boolean hard : new boolean[] {true, false}) {
        try (var client = RawTwo.open(http)) {
          client.post(1, "/").post(3, "/").post(5, "/").sync();
          if (hard) {
            client.stream.reset();
          } else {
            client.stream.close();
          }
        }
        while (seen.size() % 3 != 0 || seen.isEmpty()) {
          Coroutine.pause();
        }
      }
      Loop.awaitIdle();
      assertEquals(6, seen.size(), () -> "" + seen);
      assertEquals(List.of("EOFException"), seen.stream().distinct().toList());
    }
  }

  // ---- the end

  @Test
  void theEndLetsRequestsFinish() throws Exception {
    Gate gate = new Gate();
    var http =
        HttpFixture.open(
            server ->
                server
                    .route("GET", "/", _ -> Response.text("hello"))
                    .route(
                        "GET",
                        "/slow",
                        _ -> {
                          gate.await();
                          return Response.text("done");
                        }));
    try (var client = RawTwo.open(http);
        var idle = RawTwo.open(http)) {
      idle.sync();
      client.get(1, "/slow").sync();
      http.server.close();
      RawTwo.Frame bye = client.await(RawTwo.GOAWAY);
      assertEquals(0, bye.error());
      assertEquals(1, ByteBuffer.wrap(bye.payload()).getInt());
      assertEquals(0, idle.farewell());
      client.get(3, "/");
      Loop.awaitIdle();
      gate.open();

      assertEquals("200 done", client.answer(1).toString());
      assertNull(client.next());
      assertEquals(0, client.of(3).status);
    }
    http.close();
  }

  /// What the client sends behind our farewell it may have sent before it knew. It is told at once that nobody has looked at it,
  /// and Netty does not log it, which would be on the loop's thread.
  @Test
  void whatComesBehindTheFarewellIsRefusedAndNotLogged() throws Exception {
    Gate gate = new Gate();
    HttpHandler handler =
        _ -> {
          gate.await();
          return Response.text("done");
        };
    List<String> logged = new ArrayList<>();
    Handler listener =
        new Handler() {
          @Override
          public void publish(LogRecord told) {
            logged.add(told.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger netty = Logger.getLogger("io.netty.handler.codec.http2");
    netty.addHandler(listener);
    var http = HttpFixture.open(server -> server.route("GET", "/slow", handler));
    try (var client = RawTwo.open(http)) {
      client.get(1, "/slow").sync();
      http.server.close();
      client.await(RawTwo.GOAWAY);
      // In one piece: what comes behind a reset would be reset again.
      var late = new ByteArrayOutputStream();
      late.write(RawTwo.bytes(RawTwo.HEADERS, RawTwo.END_HEADERS, 3, RawTwo.request("POST", "/")));
      late.write(RawTwo.bytes(RawTwo.DATA, 0, 3, new byte[100]));
      late.write(RawTwo.bytes(RawTwo.DATA, RawTwo.END_STREAM, 3, new byte[100]));
      client.stream.write(late.toByteArray());
      client.get(5, "/slow").sync();
      gate.open();

      assertEquals("200 done", client.answer(1).toString());
      int refused = 7;
      assertEquals(refused, client.of(3).reset);
      assertEquals(refused, client.of(5).reset);
      assertNull(client.next());
      assertEquals(List.of(), logged);
    } finally {
      netty.removeHandler(listener);
    }
    http.close();
  }

  @Test
  void whatIsNotDoneInTheGraceIsCancelled() throws Exception {
    List<String> seen = new ArrayList<>();
    var options = ServerOptions.DEFAULT.withGrace(Duration.ofMillis(50));
    var http =
        HttpFixture.open(
            options,
            server ->
                server.route(
                    "GET",
                    "/",
                    _ -> {
                      try {
                        Time.sleep(Duration.ofHours(1));
                      } finally {
                        seen.add("left");
                      }
                      return Response.of(204);
                    }));
    try (var client = RawTwo.open(http)) {
      client.get(1, "/").get(3, "/").sync();
      http.close();

      assertEquals(List.of("left", "left"), seen);
    }
  }

  @Test
  void accessesAreTold() throws Exception {
    List<AccessLog.Access> told = new ArrayList<>();
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT.withAccessLog(told::add));
        var client = RawTwo.open(http)) {
      client.get(1, "/").answer(1);
      client.get(3, "/?\u00e9").answer(3);
      client.sync();

      assertEquals(2, told.size());
      assertEquals("GET /", told.getFirst().request().toString());
      assertEquals(5, told.getFirst().bytes());
      assertTrue(told.getFirst().toString().contains("\"GET / HTTP/2.0\" 200 5"));
      assertNull(told.getLast().request());
      assertEquals(400, told.getLast().status());
    }
  }
}
