package com.example;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.http.HttpServer;
import dev.couv.signal.Signal;
import java.net.InetSocketAddress;

/// The program: listens, serves until it is told to end, and lets requests finish then.
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    Loop.run(() -> serve(new InetSocketAddress(port)));
  }

  private static void serve(InetSocketAddress address) throws Exception {
    try (HttpServer server = HttpServer.open(address)) {
      Greetings.routes(server);
      IO.println("http://localhost:" + server.local().getPort() + "/greetings/you");
      Coroutine<Void> end =
          Coroutine.spawn(
              () -> {
                Signal.await(Signal.INT, Signal.TERM);
                server.close(); // takes no more; what is being answered has its grace
              });
      try {
        server.serve(); // until the last answer is out
      } finally {
        end.cancel();
      }
    }
  }
}
