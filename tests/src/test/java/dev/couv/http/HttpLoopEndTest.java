// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Status;
import dev.couv.http.HttpFixture.Talk;
import dev.couv.net.Tcp;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// A loop that ends takes its servers along.
class HttpLoopEndTest {
  /// As a Ctrl-C does it. Otherwise the loop would end with a failure that nobody awaits.
  @Test
  void whoServesIsCancelledWhenEverythingIs() {
    var serving = new AtomicReference<Coroutine<?>>();
    try (Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            HttpServer server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0));
            HttpFixture.simple(server);
            serving.set(Coroutine.spawn(server::serve));
            Loop.awaitIdle();
            Coroutine.current().scope().cancel();
          });
      loop.run(Mode.LOOP);

      assertEquals(Status.CANCELLED, serving.get().status());
    }
  }

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

      assertEquals(Status.DONE, main.status());
    }
  }

  /// Whoever answers is cancelled, and tears what he has begun.
  @Test
  void norOfOneThatAnswers() {
    try (Loop loop = Loop.open()) {
      var main =
          loop.spawn(
              () -> {
                HttpServer server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0));
                Content.Writing endless =
                    out -> {
                      out.write("x");
                      out.flush();
                      Coroutine.halt();
                    };
                server.route("GET", "/", _ -> Response.stream("x/y", endless));
                Coroutine.spawn(server::serve);
                Talk talk = new Talk(Tcp.connect(server.local()));
                String first = talk.say("GET / HTTP/1.0\r\n\r\n").head() + talk.bytes(1);
                loop.halt();
                return first;
              });
      loop.run(Mode.LOOP);

      assertEquals(Status.DONE, main.status());
    }
  }
}
