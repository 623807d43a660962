// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.CapturedLog;
import dev.couv.coro.Coroutine;
import dev.couv.error.BusyException;
import dev.couv.http.HttpFixture.Talk;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What clients send behind a head, and how handlers read it.
@InLoop
class HttpBodiesTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";

  @Test
  void aChunkedBodyIsReadAsItComes() throws Exception {
    try (var http = HttpFixture.simple();
        var talk = http.talk()) {
      talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n3;a=b\r\none\r\n");
      talk.say("3\r\ntwo\r\n0\r\n\r\n" + GET);

      assertEquals("onetwo", talk.body());
      assertEquals("hello", talk.body());
    }
  }

  @Test
  void chunksThatAreHardlyMoreThanTheirExtensionsAreRefused() throws Exception {
    try (var http = HttpFixture.simple()) {
      String chunk = "1;" + "x".repeat(4000) + "\r\na\r\n";
      String refused =
          http.all(POST + "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(20) + "0\r\n\r\n");
      assertTrue(refused.startsWith("HTTP/1.1 400 "), refused);
      try (var talk = http.talk()) {
        String small = "1;a=b\r\nx\r\n".repeat(20_000);
        talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n" + small + "0\r\n\r\n");
        assertEquals("x".repeat(20_000), talk.body());
        talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(3) + "0\r\n\r\n");
        assertEquals("aaa", talk.body());
      }
    }
  }

  /// The largest array there is.
  private static final int MOST = Integer.MAX_VALUE - 8;

  @Test
  void aBodyThatNoArrayHoldsIsTooLarge() {
    HttpBody claimed =
        new HttpBody() {
          @Override
          public int read(ByteBuffer into) {
            return -1;
          }

          @Override
          public long length() {
            return Integer.MAX_VALUE;
          }

          @Override
          public Headers trailers() {
            return Headers.EMPTY;
          }
        };

    var failure = assertThrows(HttpFailure.class, () -> claimed.bytes(Integer.MAX_VALUE));

    assertEquals(413, failure.status());
  }

  @Test
  void theArrayOfABodyGrowsToTheLargestThereIs() {
    assertEquals(2050, HeldBody.larger(1025, -1, HeldBody.MOST));
    assertEquals(MOST, HeldBody.larger(1 << 30, -1, HeldBody.MOST));
    assertEquals(MOST, HeldBody.larger(1 << 30, HeldBody.MOST, HeldBody.MOST));
    assertEquals(101, HeldBody.larger(80, -1, 100));
    assertEquals(10_001, HeldBody.larger(8193, 10_000, HeldBody.MOST));
  }

  /// What its reader has not taken cannot be skipped by anybody else.
  @Test
  void aBodyThatIsStillReadElsewhereEndsTheConnection() throws Exception {
    List<Throwable> told = new ArrayList<>();
    List<Throwable> seen = new ArrayList<>();
    HttpHandler early =
        request -> {
          Coroutine.spawn(() -> seen.add(assertThrows(IOException.class, request.body()::read)));
          Coroutine.pause();
          return Response.text("early");
        };
    var options = ServerOptions.DEFAULT.withOnFailure((_, failure) -> told.add(failure));
    try (var log = new CapturedLog()) {
      try (var http = HttpFixture.open(options, server -> server.route("POST", "/", early))) {
        for (String body :
            List.of("Content-Length: 9\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n")) {
          String answer = http.all(POST + body);
          assertTrue(answer.endsWith("\r\n\r\nearly"), answer);
        }
      }
      assertEquals(2, seen.size());
      assertEquals(2, told.size());
      assertTrue(told.getFirst() instanceof BusyException, told::toString);
      assertEquals(List.of(), log.messages());
    }
  }

  @Test
  void trailersAreThereAtTheEnd() throws Exception {
    HttpHandler echo =
        request -> {
          assertTrue(request.body().trailers().isEmpty());
          request.body().bytes(100);
          return Response.text(String.valueOf(request.body().trailers().get("x-sum")));
        };
    try (var http = HttpFixture.open(server -> server.route("POST", "/", echo));
        var talk = http.talk()) {
      talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\nX-Sum: 7\r\n\r\n");

      assertEquals("7", talk.body());
    }
  }

  /// By the largest array that was offered to be filled, after so many bytes of the claimed length.
  @Test
  void aLengthThatIsOnlyClaimedTakesNoMemory() throws Exception {
    int claimed = 16 << 20;
    for (int come : new int[] {0, 1, 10_000, 100_000}) {
      var body = new ClaimedBody(claimed, come);

      assertThrows(EOFException.class, () -> body.bytes(claimed));

      assertTrue(body.largest <= (1 << 13) + 1 + 2 * come, come + ": " + body.largest);
    }
    var whole = new ClaimedBody(1_000_000, 1_000_000);
    assertEquals(1_000_000, whole.bytes(claimed).length);
    assertEquals(1_000_001, whole.largest, "no more than was told, once it comes");
  }

  /// One that says how much it has, and ends too early.
  private static final class ClaimedBody implements HttpBody {
    private final long length;
    private final int come;
    private int given;
    int largest;

    ClaimedBody(long length, int come) {
      this.length = length;
      this.come = come;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      largest = Math.max(largest, into.capacity());
      int count = Math.min(Math.min(into.remaining(), come - given), 1000);
      if (count == 0) {
        if (given == length) {
          return -1;
        }
        throw new EOFException("no more");
      }
      into.position(into.position() + count);
      given += count;
      return count;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public Headers trailers() {
      return Headers.EMPTY;
    }
  }

  @Test
  void aBodyIsReadNoFasterThanTheHandlerTakesIt() throws Exception {
    List<Long> counts = new ArrayList<>();
    HttpHandler slow =
        request -> {
          Time.sleep(Duration.ofMillis(20));
          counts.add(request.body().copyTo(_ -> Coroutine.pause()));
          return Response.of(204);
        };
    int size = 8 << 20;
    try (var http = HttpFixture.open(server -> server.route("POST", "/", slow));
        var talk = http.talk()) {
      talk.say(POST + "Content-Length: " + size + "\r\n\r\n");
      var writing = Coroutine.spawn(() -> talk.stream.write(ByteBuffer.allocate(size)));
      Time.sleep(Duration.ofMillis(5));

      assertFalse(writing.status().isEnded(), "it is ahead of who reads");
      assertEquals(204, talk.status());
      assertEquals(List.of((long) size), counts);
    }
  }

  @Test
  void whatAHandlerDidNotReadIsSkippedOrClosesTheConnection() throws Exception {
    try (var http =
        HttpFixture.open(server -> server.route("POST", "/", _ -> Response.text("no")))) {
      try (var talk = http.talk()) {
        talk.say(POST + "Content-Length: 100000\r\n\r\n" + "x".repeat(100_000));
        talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n");

        assertEquals("no", talk.body());
        assertEquals("no", talk.body());
        talk.say(POST + "Content-Length: 10000000\r\n\r\n");
        String head = talk.head();
        assertEquals("close", HttpFixture.field(head, "connection"));
        assertEquals("no", talk.rest());
      }
      try (var talk = http.talk()) {
        String chunks = "10000\r\n" + "x".repeat(1 << 16) + "\r\n";
        var endless =
            Coroutine.spawn(
                () -> {
                  talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n");
                  while (true) {
                    talk.say(chunks);
                  }
                });
        assertEquals("no", talk.body());
        assertThrows(IOException.class, endless::await);
      }
    }
  }

  @Test
  void whoeverReadsTheBodyWhileHeAnswersHasAskedForItBefore() throws Exception {
    HttpHandler echo =
        request ->
            Response.stream(
                "x/y",
                out -> {
                  out.write("<");
                  request.body().copyTo(out);
                  out.write(">");
                });
    try (var http = HttpFixture.open(server -> server.route("POST", "/", echo));
        var talk = http.talk()) {
      talk.say("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
      assertEquals(100, talk.status());
      talk.say("one");
      assertEquals(200, talk.status());
      assertEquals("1\r\n<\r\n3\r\none\r\n1\r\n>\r\n0\r\n\r\n", talk.bytes(25));
    }
  }

  @Test
  void aClientThatAsksIsToldToGoOnWhenItsBodyIsRead() throws Exception {
    try (var http = HttpFixture.simple();
        var talk = http.talk()) {
      talk.say(POST + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n");

      assertEquals("HTTP/1.1 100 Continue\r\n\r\n", talk.head());
      assertEquals("one", talk.say("one").body());
      assertEquals("hello", talk.say(GET).body());
    }
  }

  /// More than the kernels of both sides take.
  private static final int LARGE = 1 << 24;

  /// It would be in the middle of the answer.
  @ParameterizedTest
  @ValueSource(
      strings = {"Content-Length: 50\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhe"})
  void aBodyThatIsBrokenOffIsABadRequestWhateverTheHandlerMakesOfIt(String rest) throws Exception {
    HttpHandler careless =
        request -> {
          try {
            return Response.text(request.body().text(100));
          } catch (IOException broken) {
            return Response.text("never mind");
          }
        };
    try (var http =
            HttpFixture.open(
                server -> {
                  HttpFixture.simple(server);
                  server.route("PUT", "/", careless);
                });
        Talk one = http.talk();
        Talk other = http.talk()) {
      one.say("POST / HTTP/1.1\r\nHost: a\r\n" + rest);
      one.stream.shutdown();
      other.say("PUT / HTTP/1.1\r\nHost: a\r\n" + rest);
      other.stream.shutdown();

      assertEquals(400, one.status());
      assertEquals(400, other.status());
    }
  }

  @Test
  void aClientThatIsBeingAnsweredIsNotToldToGoOn() throws Exception {
    Gate begun = new Gate();
    List<Throwable> seen = new ArrayList<>();
    HttpHandler late =
        request -> {
          Coroutine.spawn(
              () -> {
                begun.await();
                seen.add(assertThrows(IllegalStateException.class, request.body()::read));
              });
          return Response.bytes("x/y", new byte[LARGE]);
        };
    try (var http = HttpFixture.open(server -> server.route("POST", "/", late));
        var talk = http.talk()) {
      talk.say(POST + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n");
      assertEquals(200, talk.status());
      begun.open();
      Coroutine.pause();

      talk.in.skip(LARGE);
      assertEquals("", talk.rest());
      assertEquals(1, seen.size());
    }
  }

  @Test
  void aClientThatAsksAndIsRefusedIsNotToldToGoOn() throws Exception {
    HttpHandler refuse =
        _ -> {
          throw new HttpFailure(401, "who are you");
        };
    try (var http = HttpFixture.open(server -> server.route("POST", "/", refuse))) {
      String answer = http.all(POST + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n");

      assertTrue(answer.startsWith("HTTP/1.1 401 "), answer);
      assertTrue(answer.contains("\r\nconnection: close\r\n"), answer);
    }
  }

  @Test
  void aBodyIsGoneWhenItsRequestWasAnswered() throws Exception {
    List<HttpBody> kept = new ArrayList<>();
    HttpHandler keep =
        request -> {
          kept.add(request.body());
          return Response.of(204);
        };
    try (var http = HttpFixture.open(server -> server.route("POST", "/", keep));
        var talk = http.talk()) {
      talk.say(POST + "Content-Length: 3\r\n\r\none");
      assertEquals(204, talk.status());

      assertThrows(IllegalStateException.class, () -> kept.getFirst().read(ByteBuffer.allocate(1)));
    }
  }

  @Test
  void aBodyThatIsTooLargeIsRefusedWhateverTheHandlerDoes() throws Exception {
    HttpHandler stubborn =
        request -> {
          try {
            request.body().copyTo(_ -> {});
          } catch (IOException _) {
            // as some do
          }
          return Response.text("fine");
        };
    var options = ServerOptions.DEFAULT.withLimits(HttpLimits.DEFAULT.withBody(10));
    try (var http = HttpFixture.open(options, server -> server.route("POST", "/", stubborn))) {
      String chunked = POST + "Transfer-Encoding: chunked\r\n\r\n";

      assertTrue(http.all(POST + "Content-Length: 11\r\n\r\n").startsWith("HTTP/1.1 413 "));
      assertTrue(http.all(chunked + "b\r\nhello world\r\n").startsWith("HTTP/1.1 413 "));
      assertTrue(
          http.all(chunked + "5\r\nhello\r\n".repeat(3) + "0\r\n\r\n").startsWith("HTTP/1.1 413 "));
      try (var talk = http.talk()) {
        assertEquals("fine", talk.say(chunked + "5\r\nhello\r\n".repeat(2) + "0\r\n\r\n").body());
      }
    }
  }
}
