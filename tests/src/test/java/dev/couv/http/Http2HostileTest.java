// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
          var client = RawTwo.open(http)) {
        client.get(1, "/");
        assertEquals(500, client.answer(1).status);
        assertEquals(1, told.size());
      }
    }
  }
}
