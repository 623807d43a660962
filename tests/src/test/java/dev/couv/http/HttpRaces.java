// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/// A server that ends, and clients that go, at any moment: what races have in common in all versions of HTTP.
final class HttpRaces {
  private HttpRaces() {}

  /// Asks for something, and goes one way or another: whatever it throws is as it may be.
  @FunctionalInterface
  interface Client {
    void run(InetSocketAddress server, Random random) throws Exception;
  }

  private static HttpServer open(Path directory) throws IOException {
    Files.write(directory.resolve("file"), new byte[300_000]);
    var options = ServerOptions.DEFAULT.withGrace(Duration.ofMillis(5)).withOnFailure((_, _) -> {});
    HttpServer server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0), options);
    HttpFixture.simple(server);
    return server
        .files("/f", directory)
        .route(
            "GET",
            "/slow",
            _ -> {
              Time.sleep(Duration.ofMillis(2));
              return Response.text("slow");
            })
        .route(
            "GET",
            "/stream",
            _ ->
                Response.stream(
                    "x/y",
                    out -> {
                      for (int i = 0; i < 20; i++) {
                        out.write(new byte[20_000]);
                        Coroutine.pause();
                      }
                    }))
        .route(
            "GET",
            "/fails",
            _ -> {
              throw new IllegalStateException("planted");
            });
  }

  /// Has so many clients come while the server ends: by its own end, or cancelled.
  static void run(int seed, int count, Path directory, Client client) throws Exception {
    Random random = new Random(seed);
    HttpServer server = open(directory);
    var serving = Coroutine.spawn(server::serve);
    var clients =
        Coroutine.spawn(
            () -> {
              for (int i = 0; i < count; i++) {
                Random own = new Random(random.nextLong());
                Coroutine.spawn(() -> ask(client, server.local(), own));
                pause(random, 10);
              }
            });
    pause(random, 400);
    if (seed % 2 == 0) {
      serving.cancel();
    } else {
      server.close();
    }
    clients.await();
    while (!serving.status().isEnded()) {
      Time.sleep(Duration.ofMillis(1));
    }
    server.close();

    assertTrue(server.isClosed());
  }

  private static void ask(Client client, InetSocketAddress server, Random random) {
    try {
      client.run(server, random);
    } catch (Exception gone) {
      // as it may be
    }
  }

  /// Lets the others run, some times.
  static void pause(Random random, int most) {
    for (int i = random.nextInt(most); i > 0; i--) {
      Coroutine.pause();
    }
  }
}
