// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static dev.couv.http.RawTwo.bytes;
import static dev.couv.http.RawTwo.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Clients that make work and do not pay for it, are slow, or silent: they are ended, and hold little until then.
@InLoop
class Http2LimitsTest {
  private static final int ENHANCE_YOUR_CALM = 11;
  private static final int REFUSED_STREAM = 7;
  private static final int CANCEL = 8;

  private static HttpFixture simple() throws IOException {
    return HttpFixture.simple(ServerOptions.DEFAULT);
  }

  private static ServerOptions with(HttpLimits limits) {
    return ServerOptions.DEFAULT.withLimits(limits);
  }

  /// What the server says at its end, while it is sent the same again and again, each time with a new stream.
  private static int flood(RawTwo client, int most, Flood flood) throws Exception {
    var hearing = Coroutine.spawn(client::farewell);
    try {
      for (int i = 0; i < most && !hearing.status().isEnded(); i++) {
        client.stream.write(flood.bytes(2 * i + 1));
      }
    } catch (IOException ended) {
      // as it should
    }
    return hearing.await();
  }

  private interface Flood {
    byte[] bytes(int id);
  }

  private static byte[] both(byte[]... all) {
    int size = 0;
    for (byte[] one : all) {
      size += one.length;
    }
    ByteBuffer joined = ByteBuffer.allocate(size);
    for (byte[] one : all) {
      joined.put(one);
    }
    return joined.array();
  }

  private static byte[] head(int flags, int id, String method) {
    return bytes(RawTwo.HEADERS, flags, id, RawTwo.request(method, "/"));
  }

  @Test
  void requestsThatAreTakenBackAtOnce() throws Exception {
    List<String> ran = new ArrayList<>();
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/",
                        _ -> {
                          ran.add("ran");
                          return Response.text("hello");
                        }));
        var client = RawTwo.open(http)) {
      int error =
          flood(
              client,
              100_000,
              id -> both(head(5, id, "GET"), bytes(RawTwo.RST_STREAM, 0, id, number(CANCEL))));

      assertEquals(ENHANCE_YOUR_CALM, error);
      assertTrue(ran.size() < 400, () -> ran.size() + " have run");
    }
  }

  @Test
  void handlersOfRequestsThatWereTakenBackCountUntilTheyEnd() throws Exception {
    Gate gate = new Gate();
    List<String> ran = new ArrayList<>();
    var limits = HttpLimits.DEFAULT.withStreams(10);
    try (var http =
            HttpFixture.open(
                with(limits),
                server ->
                    server.route(
                        "GET",
                        "/",
                        _ -> {
                          ran.add("ran");
                          gate.await();
                          return Response.text("late");
                        }));
        var client = RawTwo.open(http)) {
      for (int id = 1; id < 40; id += 2) {
        client.get(id, "/").reset(id, CANCEL);
      }
      assertEquals(REFUSED_STREAM, client.sync().get(41, "/").answer(41).reset);
      assertEquals(10, ran.size());
      gate.open();
      Loop.awaitIdle();

      assertEquals("200 late", client.get(43, "/").answer(43).toString());
    }
  }

  @Test
  void moreRequestsAtOnceThanThereMayBe() throws Exception {
    Gate gate = new Gate();
    var limits = HttpLimits.DEFAULT.withStreams(3);
    try (var http =
            HttpFixture.open(
                with(limits),
                server ->
                    server.route(
                        "GET",
                        "/",
                        _ -> {
                          gate.await();
                          return Response.text("hello");
                        }));
        var client = RawTwo.open(http)) {
      for (int id = 1; id <= 7; id += 2) {
        client.get(id, "/");
      }
      assertEquals(REFUSED_STREAM, client.answer(7).reset);
      gate.open();
      assertEquals("200 hello", client.answer(5).toString());
    }
  }

  @Test
  void headsThatNeverEnd() throws Exception {
    try (var http = simple();
        var client = RawTwo.open(http)) {
      client.frame(RawTwo.HEADERS, 0, 1, RawTwo.request("GET", "/"));
      byte[] more = RawTwo.head("x", "y".repeat(1000));
      int error = flood(client, 10_000, _ -> bytes(RawTwo.CONTINUATION, 0, 1, more));
      assertTrue(error == ENHANCE_YOUR_CALM || error == 1, () -> "error " + error);
    }
    try (var http = simple();
        var client = RawTwo.open(http)) {
      client.frame(RawTwo.HEADERS, 0, 1, RawTwo.request("GET", "/"));
      int error = flood(client, 10_000, _ -> bytes(RawTwo.CONTINUATION, 0, 1));
      assertTrue(error == ENHANCE_YOUR_CALM || error == 1, () -> "error " + error);
    }
  }

  @Test
  void aHeadThatIsTooLargeIsRefused() throws Exception {
    try (var http = simple();
        var client = RawTwo.open(http)) {
      byte[] block = RawTwo.request("GET", "/", "x", "y".repeat(16_380), "z", "y".repeat(8100));
      client.frame(RawTwo.HEADERS, 1, 1, java.util.Arrays.copyOf(block, 16_000));
      client.frame(
          RawTwo.CONTINUATION, 4, 1, java.util.Arrays.copyOfRange(block, 16_000, block.length));
      assertEquals(431, client.answer(1).status);
      assertEquals("200 hello", client.get(3, "/").answer(3).toString());
    }
  }

  @Test
  void pingsAndSettings() throws Exception {
    try (var http = simple()) {
      for (byte[] frame :
          List.of(bytes(RawTwo.PING, 0, 0, new byte[8]), bytes(RawTwo.SETTINGS, 0, 0))) {
        try (var client = RawTwo.open(http)) {
          assertEquals(ENHANCE_YOUR_CALM, flood(client, 100_000, _ -> frame));
        }
      }
    }
  }

  /// By the real clock: a write that waits holds the other one. Nobody reads on while a client does not listen, so that it
  /// comes to stand still itself, and is closed.
  @Test
  void whoDoesNotListenIsNotHeard() throws Exception {
    var limits = HttpLimits.DEFAULT.withSendTime(Duration.ofMillis(300));
    List<AccessLog.Access> served = new ArrayList<>();
    try (var http =
            HttpFixture.open(
                with(limits).withAccessLog(served::add),
                server -> server.route("GET", "/", _ -> Response.bytes("x/y", new byte[1 << 25])));
        var client = RawTwo.open(http, 4, 0x7f000000)) {
      client.window(0, 0x7f000000).get(1, "/");
      byte[] pings = new byte[17 * 100];
      for (int i = 0; i < 100; i++) {
        System.arraycopy(bytes(RawTwo.PING, 0, 0, new byte[8]), 0, pings, 17 * i, 17);
      }
      var talking =
          Coroutine.spawn(
              () -> {
                try {
                  while (true) {
                    client.stream.write(pings);
                    Time.sleep(Duration.ofMillis(1));
                  }
                } catch (IOException closed) {
                  // as it should
                }
              });
      while (served.isEmpty()) {
        Time.sleep(Duration.ofMillis(10));
      }
      talking.cancel();

      assertTrue(served.getFirst().bytes() < 1 << 25);
    }
  }

  @Test
  void emptyData() throws Exception {
    try (var http = simple();
        var client = RawTwo.open(http)) {
      client.post(1, "/");
      assertEquals(ENHANCE_YOUR_CALM, flood(client, 10_000, _ -> bytes(RawTwo.DATA, 0, 1)));
    }
  }

  /// A client that sends more than it may.
  @Test
  void dataBeyondTheWindow() throws Exception {
    Gate gate = new Gate();
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "POST",
                        "/",
                        _ -> {
                          gate.await();
                          return Response.of(204);
                        }));
        var client = RawTwo.open(http)) {
      client.post(1, "/");
      for (int i = 0; i < 5; i++) {
        client.data(1, "x".repeat(16_000), false);
      }
      client.await(
          frame ->
              (frame.type() == RawTwo.RST_STREAM || frame.type() == RawTwo.GOAWAY)
                  && frame.error() == 3);
      gate.open();
    }
  }

  /// Bodies of one byte in a frame hold no more than others.
  @Test
  void smallFramesHoldLittle() throws Exception {
    Gate gate = new Gate();
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "POST",
                        "/",
                        request -> {
                          gate.await();
                          return Response.text(request.body().text(1 << 20).length() + "");
                        }));
        var client = RawTwo.open(http)) {
      byte[] one = new byte[60_000 * 10];
      for (int i = 0; i < 60_000; i++) {
        System.arraycopy(bytes(RawTwo.DATA, 0, 1, (byte) 'x'), 0, one, i * 10, 10);
      }
      client.post(1, "/");
      client.stream.write(one);
      client.sync();
      gate.open();
      assertEquals("200 60000", client.data(1, "", true).answer(1).toString());
    }
  }

  // ---- time

  @Test
  void whoSaysNothingIsToldFarewell(TestClock clock) throws Exception {
    try (var http = HttpFixture.simple(with(HttpLimits.DEFAULT.withIdle(Duration.ofSeconds(20))))) {
      try (var client = RawTwo.open(http)) {
        assertEquals(0, client.farewell());
        assertBetween(20, 22, clock);
      }
      try (var client = RawTwo.open(http)) {
        for (int i = 0; i < 5; i++) {
          Time.sleep(Duration.ofSeconds(15));
          assertEquals("200 hello", client.get(2 * i + 1, "/").answer(2 * i + 1).toString());
        }
        assertEquals(0, client.farewell());
        assertBetween(115, 121, clock);
      }
    }
  }

  private static void assertBetween(long least, long most, TestClock clock) {
    long seconds = clock.elapsed().toSeconds();
    assertTrue(seconds >= least && seconds <= most, () -> "after " + clock.elapsed());
  }

  @Test
  void whoBeginsAndDoesNotGoOnIsClosed(TestClock clock) throws Exception {
    try (var http = simple();
        var client = RawTwo.connect(http.address())) {
      client.stream.write(RawTwo.PREFACE);
      while (client.next() != null) {
        // the server's settings
      }
      assertBetween(10, 12, clock);
    }
  }

  @Test
  void aBodyThatStopsIsRefusedAlsoWhereItsReadsAreLeft(TestClock clock) throws Exception {
    try (var http =
            HttpFixture.open(server -> server.route("POST", "/", HttpLimitsTest::impatient));
        var client = RawTwo.open(http)) {
      assertEquals(408, client.post(1, "/").data(1, "abc", false).answer(1).status);
      assertBetween(30, 32, clock);
    }
  }

  @Test
  void aBodyThatStopsIsRefused(TestClock clock) throws Exception {
    try (var http = simple();
        var client = RawTwo.open(http)) {
      assertEquals(408, client.post(1, "/").data(1, "abc", false).answer(1).status);
      assertBetween(30, 32, clock);
      assertEquals("200 hello", client.get(3, "/").answer(3).toString());
    }
  }

  @Test
  void anAnswerThatNobodyTakesIsTakenBack(TestClock clock) throws Exception {
    List<Throwable> seen = new ArrayList<>();
    try (var http =
            HttpFixture.open(
                server ->
                    server
                        .route("GET", "/", _ -> Response.text("hello"))
                        .route(
                            "GET",
                            "/large",
                            _ ->
                                Response.stream(
                                    "x/y",
                                    out -> {
                                      try {
                                        out.write(new byte[1 << 20]);
                                      } catch (IOException gone) {
                                        seen.add(gone);
                                        throw gone;
                                      }
                                    })));
        var client = RawTwo.open(http, 4, 1000)) {
      assertEquals(CANCEL, client.get(1, "/large").answer(1).reset);
      assertBetween(30, 33, clock);
      assertEquals(1, seen.size());
      assertEquals("200 hello", client.get(3, "/").answer(3).toString());
    }
  }

  @Test
  void anAnswerThatIsTakenSlowlyGoesOn(TestClock clock) throws Exception {
    try (var http =
            HttpFixture.open(
                server -> server.route("GET", "/", _ -> Response.bytes("x/y", new byte[5000])));
        var client = RawTwo.open(http, 4, 1000)) {
      client.get(1, "/");
      for (int i = 0; i < 4; i++) {
        Time.sleep(Duration.ofSeconds(20));
        client.window(1, 1000);
      }
      assertEquals(5000, client.answer(1).body.length());
    }
  }
}
