// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Status;
import dev.couv.time.Time;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A loop that ends takes its connections of HTTP/2 along.
class Http2LoopEndTest {
  @Test
  void nothingIsLeftOfAServerWhoseLoopIsClosed() {
    try (Loop loop = Loop.open()) {
      var main =
          loop.spawn(
              () -> {
                HttpServer server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0));
                HttpFixture.simple(server);
                server.route(
                    "GET",
                    "/slow",
                    _ -> {
                      Time.sleep(Duration.ofHours(1));
                      return Response.of(204);
                    });
                Coroutine.spawn(server::serve);
                RawTwo client = RawTwo.open(server.local());
                String first = client.get(1, "/").answer(1).toString();
                client.get(3, "/slow").post(5, "/").sync();
                loop.halt();
                return first;
              });
      loop.run(Mode.LOOP);

      assertEquals(Status.DONE, main.status());
    }
  }
}
