// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import java.io.ByteArrayOutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What keeps the rules of HTTP/2, and yet asks much of a server.
@InLoop
final class Http2HostileTest {
  private static final int PADDED = 8;

  private static byte[] small(int count, int flags, byte... payload) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      all.writeBytes(RawTwo.bytes(RawTwo.DATA, flags, 1, payload));
    }
    return all.toByteArray();
  }

  /// Each of them is an order for the sender that makes no bytes: who reads must not wait for bytes then.
  @Test
  void manySmallPiecesOfABodyDoNotSilenceTheConnection() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var client = RawTwo.open(http)) {
      client.sync();
      client.post(1, "/");
      client.stream.write(small(3_000, PADDED, (byte) 0, (byte) 'x'));
      client.frame(RawTwo.PING, 0, 0, new byte[8]);
      client.await(frame -> frame.type() == RawTwo.PING);
      client.data(1, "end", true);
      assertEquals(200, client.answer(1).status);
    }
  }

  @Test
  void aHeadThatIsRefusedHasNoBody() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var client = RawTwo.open(http)) {
      client.frame(
          RawTwo.HEADERS, RawTwo.END_HEADERS | RawTwo.END_STREAM, 1, RawTwo.request("HEAD", "x"));
      RawTwo.Answer answer = client.answer(1);
      assertEquals(400, answer.status);
      assertEquals("", answer.body.toString());
    }
  }

  @Test
  void aFieldOfHttp2ThatNoRequestHasIsMalformed() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var client = RawTwo.open(http)) {
      client.frame(
          RawTwo.HEADERS,
          RawTwo.END_HEADERS | RawTwo.END_STREAM,
          1,
          RawTwo.request("GET", "/", ":protocol", "websocket"));
      assertEquals(1, client.answer(1).reset, "PROTOCOL_ERROR");
    }
  }

  /// As many as there were in the least window of a connection.
  @Test
  void bodiesThatNobodyReadsLeaveOthersTheirShare() throws Exception {
    Gate never = new Gate();
    try (var http =
            HttpFixture.open(
                server ->
                    server
                        .route(
                            "POST",
                            "/unread",
                            _ -> {
                              never.await();
                              return Response.of(204);
                            })
                        .route("POST", "/", request -> Response.text(request.body().text(100))));
        var client = RawTwo.open(http)) {
      client.sync();
      for (int id = 1; id <= 33; id += 2) {
        client.post(id, "/unread");
        for (int left = 65_535; left > 0; left -= 16_384) {
          client.data(id, "x".repeat(Math.min(left, 16_384)), false);
        }
      }
      client.post(35, "/").data(35, "mine", true);
      assertEquals("mine", client.answer(35).body.toString());
      never.open();
    }
  }

  @Test
  void aFileOfAnotherFileSystemIsAFailureThatIsTold(@TempDir Path directory) throws Exception {
    Path zip = directory.resolve("a.zip");
    List<Throwable> told = new ArrayList<>();
    var options = ServerOptions.DEFAULT.withOnFailure((_, failed) -> told.add(failed));
    try (FileSystem inside = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      Path file = Files.writeString(inside.getPath("/f"), "hello");
      try (var http =
              HttpFixture.open(
                  options,
                  server ->
                      server.route("GET", "/", _ -> Response.file("text/plain", file, 0, 5)));
          var talk = http.talk();
          var client = RawTwo.open(http)) {
        client.get(1, "/");
        assertEquals(500, client.answer(1).status);
        assertEquals(1, told.size());
        String get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        assertEquals("something went wrong here\n", talk.say(get).body());
        assertEquals("something went wrong here\n", talk.say(get).body());
        assertEquals(3, told.size());
      }
    }
  }
}
