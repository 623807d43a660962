// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.http.HttpFixture.Talk;
import dev.couv.net.Tcp;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/// A loop that ends takes its servers along.
class HttpLoopEndTest {
  @Test
  void nothingIsLeftOfAServerWhoseLoopIsClosed() {
    try (Loop loop = Loop.open()) {
      var main =
          loop.spawn(
              () -> {
                HttpServer server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0));
                HttpFixture.simple(server);
                Coroutine.spawn(server::serve);
                Talk talk = new Talk(Tcp.connect(server.local()));
                String first = talk.say("GET / HTTP/1.1\r\nHost: a\r\n\r\n").body();
                talk.say("GET / HT");
                Loop.awaitIdle();
                loop.halt();
                return first;
              });
      loop.run(Mode.LOOP);

      assertEquals(dev.couv.coro.Status.DONE, main.status());
    }
  }
}
