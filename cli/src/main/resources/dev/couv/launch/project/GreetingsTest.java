package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Coroutine;
import dev.couv.http.HttpServer;
import dev.couv.http.WebClient;
import dev.couv.testing.InLoop;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/// Asks the real service, over a socket. The test is a coroutine, beside those of the server.
class GreetingsTest {
  @InLoop
  @Test
  void greetsByName() throws Exception {
    try (HttpServer server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0));
        WebClient client = WebClient.open()) {
      Greetings.routes(server);
      var serving = Coroutine.spawn(() -> server.serve());

      String address = "http://127.0.0.1:" + server.local().getPort();
      try (var answer = client.get(address + "/greetings/Ada")) {
        assertEquals("Hello, Ada!", answer.text(1000));
      }
      serving.cancel();
    }
  }
}
