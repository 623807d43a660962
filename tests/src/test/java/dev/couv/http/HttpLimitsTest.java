// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.http.HttpFixture.Talk;
import dev.couv.net.TcpStream;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients that are slow, silent, or never come to an end: they are ended, and others do not notice them.
@InLoop
class HttpLimitsTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";

  private static ServerOptions with(HttpLimits limits) {
    return ServerOptions.DEFAULT.withLimits(limits);
  }

  @Test
  void whoSaysNothingIsClosedAfterAWhile(TestClock clock) throws Exception {
    try (var http = HttpFixture.simple(with(HttpLimits.DEFAULT.withIdle(Duration.ofSeconds(20))));
        var talk = http.talk()) {
      assertEquals("", talk.rest());

      assertBetween(20, 22, clock);
    }
  }

  @Test
  void whoHasBeenAnsweredIsClosedAfterAWhile(TestClock clock) throws Exception {
    try (var http = HttpFixture.simple(with(HttpLimits.DEFAULT.withIdle(Duration.ofSeconds(20))));
        var talk = http.talk()) {
      for (int i = 0; i < 5; i++) {
        Time.sleep(Duration.ofSeconds(15));
        assertEquals("hello", talk.say(GET).body());
      }
      assertEquals("", talk.rest());

      assertBetween(95, 97, clock);
    }
  }

  /// An answer without a body moves nothing that could be counted, and the handler's time is not the client's.
  @Test
  void whoWasAnsweredLateIsIdleFromThenOn(TestClock clock) throws Exception {
    HttpHandler slow =
        request -> {
          Time.sleep(Duration.ofMillis(30_500)); // between two looks
          return request.path().equals("/text") ? Response.text("hello") : Response.of(204);
        };
    var limits = HttpLimits.DEFAULT.withIdle(Duration.ofSeconds(20));
    try (var http =
        HttpFixture.open(with(limits), server -> server.route("*", "/{path...}", slow))) {
      for (String line : List.of("GET /none", "HEAD /text", "GET /text")) {
        Duration before = clock.elapsed();
        try (var talk = http.talk()) {
          talk.say(line + " HTTP/1.1\r\nHost: a\r\n\r\n").head();
          talk.rest();

          long seconds = clock.elapsed().minus(before).toSeconds();
          assertTrue(seconds >= 50 && seconds <= 52, () -> line + " after " + seconds);
        }
      }
    }
  }

  private static void assertBetween(long least, long most, TestClock clock) {
    long seconds = clock.elapsed().toSeconds();
    assertTrue(seconds >= least && seconds <= most, () -> "after " + clock.elapsed());
  }

  @Test
  void aSlowHeadIsRefused(TestClock clock) throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var talk = http.talk()) {
      var answer = Coroutine.spawn(talk::rest);
      talk.say("GET / HTTP/1.1\r\nHost: a\r\n");
      for (int i = 0; !answer.status().isEnded() && i < 100; i++) {
        Time.sleep(Duration.ofSeconds(1));
        try {
          talk.say("X: y\r\n");
        } catch (IOException ended) {
          break;
        }
      }

      assertTrue(answer.await().startsWith("HTTP/1.1 408 "));
      assertBetween(10, 14, clock);
    }
  }

  @Test
  void aBodyThatStopsIsRefused(TestClock clock) throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT)) {
      String counted = http.all(POST + "Content-Length: 5\r\n\r\nabc");
      String chunked = http.all(POST + "Transfer-Encoding: chunked\r\n\r\n3\r\nab");

      assertTrue(counted.startsWith("HTTP/1.1 408 "), counted);
      assertTrue(chunked.startsWith("HTTP/1.1 408 "), chunked);
      assertBetween(60, 64, clock);
    }
  }

  /// What was waited for in pieces was waited for.
  @Test
  void aBodyThatStopsIsRefusedAlsoWhereItsReadsAreLeft(TestClock clock) throws Exception {
    try (var http =
        HttpFixture.open(server -> server.route("POST", "/", HttpLimitsTest::impatient))) {
      String counted = http.all(POST + "Content-Length: 5\r\n\r\nabc");
      String chunked = http.all(POST + "Transfer-Encoding: chunked\r\n\r\n3\r\nab");

      assertTrue(counted.startsWith("HTTP/1.1 408 "), counted);
      assertTrue(chunked.startsWith("HTTP/1.1 408 "), chunked);
      assertBetween(60, 64, clock);
    }
  }

  /// Leaves each read after a second, and all of them after some minutes.
  static Response impatient(Request request) throws Exception {
    for (int left = 0; left < 200; ) {
      try {
        Time.timeout(Duration.ofSeconds(1), () -> request.body().read());
      } catch (TimeoutException early) {
        left++;
      }
    }
    return Response.text("waited");
  }

  @Test
  void aBodyThatTricklesIsRefused(TestClock clock) throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var talk = http.talk()) {
      var answer = Coroutine.spawn(talk::rest);
      talk.say(POST + "Content-Length: 10000\r\n\r\n");
      try {
        while (!answer.status().isEnded()) {
          Time.sleep(Duration.ofSeconds(5));
          talk.say("x");
        }
      } catch (IOException ended) {
        // as it should
      }

      assertTrue(answer.await().startsWith("HTTP/1.1 408 "));
      assertBetween(30, 45, clock);
    }
  }

  /// Each part in time, and fast enough, and all of it too late.
  @Test
  void aRequestThatTakesTooLongAsAWholeIsRefused(TestClock clock) throws Exception {
    var limits = HttpLimits.DEFAULT.withWhole(Duration.ofSeconds(50));
    for (String body :
        List.of("Content-Length: 200000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n30d40\r\n")) {
      Duration before = clock.elapsed();
      try (var http = HttpFixture.simple(with(limits));
          var talk = http.talk()) {
        var answer = Coroutine.spawn(talk::rest);
        talk.say("POST / HTTP/1.1\r\nHost: a\r\n");
        Time.sleep(Duration.ofSeconds(9));
        talk.say(body);
        for (int i = 0; i < 10 && !answer.status().isEnded(); i++) {
          Time.sleep(Duration.ofSeconds(10));
          try {
            talk.say("x".repeat(15_000));
          } catch (IOException ended) {
            break;
          }
        }

        assertTrue(answer.await().startsWith("HTTP/1.1 408 "));
        long seconds = clock.elapsed().minus(before).toSeconds();
        assertTrue(seconds >= 50 && seconds < 60, () -> "after " + seconds);
      }
    }
  }

  @Test
  void aHandlerMayTakeLongerThanItsRequest(TestClock clock) throws Exception {
    var limits = HttpLimits.DEFAULT.withWhole(Duration.ofSeconds(5));
    HttpHandler slow =
        request -> {
          Time.sleep(Duration.ofMinutes(5));
          return Response.text(request.body().text(10));
        };
    try (var http = HttpFixture.open(with(limits), server -> server.route("POST", "/", slow));
        var talk = http.talk()) {
      String request = POST + "Content-Length: 2\r\n\r\nok";
      assertEquals("ok", talk.say(request).body());
      assertEquals("ok", talk.say(request).body());
      assertTrue(clock.elapsed().toMinutes() >= 10);
      assertThrows(
          IllegalArgumentException.class, () -> HttpLimits.DEFAULT.withWhole(Duration.ZERO));
    }
  }

  @Test
  void aBodyThatComesSlowlyButComesIsTaken(TestClock clock) throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var talk = http.talk()) {
      talk.say(POST + "Content-Length: 60000\r\n\r\n");
      for (int i = 0; i < 4; i++) {
        Time.sleep(Duration.ofSeconds(20));
        talk.say("x".repeat(15_000));
      }

      assertEquals(200, talk.status());
      assertBetween(80, 81, clock);
    }
  }

  /// By the real clock: a write that waits holds the other one.
  @Test
  void aClientThatDoesNotReadItsAnswerIsClosed() throws Exception {
    List<Throwable> told = new ArrayList<>();
    var limits = HttpLimits.DEFAULT.withSendTime(Duration.ofMillis(200));
    var options = with(limits).withOnFailure((_, failure) -> told.add(failure));
    byte[] large = new byte[32 << 20];
    List<AccessLog.Access> served = new ArrayList<>();
    options = options.withAccessLog(served::add);
    try (var http =
            HttpFixture.open(
                options,
                server ->
                    server
                        .route("GET", "/", _ -> Response.bytes("x/y", large))
                        .route("GET", "/s", _ -> Response.stream("x/y", HttpLimitsTest::endless)));
        var bytes = http.talk();
        var stream = http.talk()) {
      bytes.say(GET);
      stream.say("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
      while (served.size() < 2) {
        Time.sleep(Duration.ofMillis(10));
      }

      assertThrows(IOException.class, () -> drain(bytes, large.length));
      assertThrows(IOException.class, () -> drain(stream, Long.MAX_VALUE));
      assertEquals(List.of(), told);
    }
  }

  private static void endless(ContentWriter out) throws IOException {
    while (true) {
      out.write(new byte[1 << 14]);
    }
  }

  private static void drain(Talk talk, long all) throws IOException {
    talk.in.skip(all);
  }

  /// Whoever writes may think for longer than a client may take nothing: there is nothing to take.
  @ParameterizedTest
  @CsvSource({"1.0, -1", "1.1, 80", "1.1, -1"})
  void aClientWhoseAnswerPausesIsNotClosed(String version, long length, TestClock clock)
      throws Exception {
    Content.Writing ticks =
        out -> {
          for (int i = 0; i < 20; i++) {
            Time.sleep(Duration.ofSeconds(i));
            out.write("tick");
          }
        };
    Content body = new Content.Streamed("x/y", length, ticks);
    var limits = HttpLimits.DEFAULT.withSendTime(Duration.ofSeconds(5));
    try (var http =
            HttpFixture.open(
                with(limits),
                server -> server.route("GET", "/", _ -> Response.of(200).withContent(body)));
        var talk = http.talk()) {
      talk.say("GET / HTTP/" + version + "\r\nHost: a\r\nConnection: close\r\n\r\n").head();

      assertEquals(21, talk.rest().split("tick", -1).length);
      assertBetween(190, 195, clock);
    }
  }

  @Test
  void aClientThatReadsSlowlyIsNotClosed() throws Exception {
    var options = with(HttpLimits.DEFAULT.withSendTime(Duration.ofSeconds(1)));
    byte[] large = new byte[14 << 20];
    try (var http =
            HttpFixture.open(
                options, server -> server.route("GET", "/", _ -> Response.bytes("x", large)));
        var talk = http.talk()) {
      talk.say(GET).head();
      long left = large.length;
      while (left > 0) {
        Time.sleep(Duration.ofMillis(100));
        long now = Math.min(left, 1 << 20);
        talk.in.skip(now);
        left -= now;
      }

      assertEquals(200, talk.say(GET).status());
    }
  }

  @Test
  void aChunkThatNeverEndsTakesNoMemoryAndIsRefusedInTheEnd() throws Exception {
    var options = with(HttpLimits.DEFAULT.withBody(4 << 20));
    HttpHandler count = request -> Response.text("" + request.body().copyTo(_ -> {}));
    try (var http = HttpFixture.open(options, server -> server.route("POST", "/", count));
        var talk = http.talk()) {
      var sending =
          Coroutine.spawn(
              () -> {
                talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n7fffffff\r\n");
                String piece = "x".repeat(1 << 16);
                while (true) {
                  talk.say(piece);
                }
              });

      assertEquals(413, talk.status());
      assertThrows(IOException.class, sending::await);
    }
  }

  @Test
  void chunksOfOneByteAreTakenUpToTheLimit() throws Exception {
    var options = with(HttpLimits.DEFAULT.withBody(1000));
    HttpHandler count = request -> Response.text("" + request.body().copyTo(_ -> {}));
    try (var http = HttpFixture.open(options, server -> server.route("POST", "/", count));
        var talk = http.talk()) {
      String chunks = "1;" + "x".repeat(10) + "\r\ny\r\n";
      talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n" + chunks.repeat(1001));

      assertEquals(413, talk.status());
    }
  }

  @Test
  void aThousandIdleConnectionsKeepNobodyWaiting() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT)) {
      List<TcpStream> idle = new ArrayList<>();
      try {
        for (int i = 0; i < 1000; i++) {
          Talk talk = http.talk();
          idle.add(talk.stream);
          switch (i % 4) {
            case 0 -> {}
            case 1 -> assertEquals("hello", talk.say(GET).body());
            case 2 -> talk.say("GET / HTTP/1.1\r\nHost: a\r\nX: ");
            default -> talk.say(POST + "Content-Length: 10\r\n\r\nabc");
          }
        }
        for (int i = 0; i < 10; i++) {
          try (var talk = http.talk()) {
            assertEquals("hello", talk.say(GET).body());
            assertEquals("one", talk.say(POST + "Content-Length: 3\r\n\r\none").body());
          }
        }
      } finally {
        idle.forEach(TcpStream::close);
        Loop.awaitIdle();
      }
    }
  }

  /// What held their longest line is let go, not only the line.
  @Test
  void idleConnectionsHoldNothingOfTheirLongestLine() throws Exception {
    String large = "GET / HTTP/1.1\r\nHost: a\r\nX: " + "y".repeat(15_000) + "\r\n\r\n";
    List<Talk> idle = new ArrayList<>();
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT)) {
      try {
        for (int i = 0; i < 300; i++) {
          idle.add(http.talk());
        }
        askAll(idle, GET);
        long before = used();
        askAll(idle, large);
        askAll(idle, GET);
        long more = used() - before;

        assertTrue(more < 300 * 6000, () -> more + " bytes for 300 connections");
      } finally {
        idle.forEach(Talk::close);
        Loop.awaitIdle();
      }
    }
  }

  private static void askAll(List<Talk> all, String request) throws IOException {
    for (Talk talk : all) {
      assertEquals("hello", talk.say(request).body());
    }
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void moreConnectionsThanAllowedWait() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT.withConnections(2));
        var third = http.talk()) {
      third.stream.shutdown();
      try (var first = http.talk();
          var second = http.talk()) {
        assertEquals("hello", first.say(GET).body());
        Talk fourth = http.talk();
        try (fourth) {
          fourth.say(GET);
          Loop.awaitIdle();
          assertEquals(0, fourth.in.buffered());
          second.stream.close();
          assertEquals("hello", fourth.body());
        }
      }
    }
  }

  @Test
  void limitsThatMakeNoSenseAreRefused() {
    HttpLimits limits = HttpLimits.DEFAULT;

    assertThrows(IllegalArgumentException.class, () -> limits.withLine(1));
    assertThrows(IllegalArgumentException.class, () -> limits.withHead(0));
    assertThrows(IllegalArgumentException.class, () -> limits.withHeaders(0));
    assertThrows(IllegalArgumentException.class, () -> limits.withBody(-1));
    assertThrows(IllegalArgumentException.class, () -> limits.withSkipped(-1));
    assertThrows(IllegalArgumentException.class, () -> limits.withBodyRate(-1));
    assertThrows(IllegalArgumentException.class, () -> limits.withIdle(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> limits.withHeadTime(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> limits.withBodyTime(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> limits.withSendTime(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> ServerOptions.DEFAULT.withConnections(0));
    assertThrows(IllegalArgumentException.class, () -> ServerOptions.DEFAULT.withName("a\r\nb"));
  }

  /// Where only the end of the connection says that the answer is whole, it must not end well.
  @Test
  void whoIsGivenUpDoesNotTakeWhatHasComeForTheWhole() throws Exception {
    List<AccessLog.Access> served = new ArrayList<>();
    var options =
        with(HttpLimits.DEFAULT.withSendTime(Duration.ofMillis(200))).withAccessLog(served::add);
    try (var http =
            HttpFixture.open(
                options,
                server ->
                    server.route(
                        "GET", "/", _ -> Response.stream("x/y", HttpLimitsTest::endless)));
        var talk = http.talk()) {
      talk.say("GET / HTTP/1.0\r\n\r\n");
      while (served.isEmpty()) {
        Time.sleep(Duration.ofMillis(10));
      }

      UvException torn =
          assertThrows(
              UvException.class,
              () -> {
                while (talk.stream.read() != null) {}
              });
      assertEquals("ECONNRESET", torn.code());
    }
  }
}
