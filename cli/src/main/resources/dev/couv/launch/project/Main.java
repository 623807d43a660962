package com.example;

import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.http.HttpServer;
import dev.couv.signal.Signal;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CancellationException;

/// The program: listens, serves until it is told to end, and lets requests finish then.
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    LoopOptions options =
        LoopOptions.DEFAULT.withShutdownOn(Duration.ofSeconds(10), Signal.INT, Signal.TERM);
    try {
      Loop.run(options, () -> serve(new InetSocketAddress(port)));
    } catch (CancellationException ended) {
      // by a signal
    }
  }

  private static void serve(InetSocketAddress address) throws Exception {
    try (HttpServer server = HttpServer.open(address)) {
      Greetings.routes(server);
      IO.println("http://localhost:" + server.local().getPort() + "/greetings/you");
      server.serve();
    }
  }
}
