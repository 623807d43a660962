// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that ends, clients that go, and streams that are reset, at any moment: nothing is left of them, which the leak
/// check sees.
@InLoop
class Http2RacesTest {
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

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverEndsWhenever(int seed, @TempDir Path directory) throws Exception {
    Random random = new Random(seed);
    HttpServer server = open(directory);
    var serving = Coroutine.spawn(server::serve);
    var clients =
        Coroutine.spawn(
            () -> {
              for (int i = 0; i < 30; i++) {
                Coroutine.spawn(() -> client(server.local(), new Random(random.nextLong())));
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

  private static void pause(Random random, int most) {
    for (int i = random.nextInt(most); i > 0; i--) {
      Coroutine.pause();
    }
  }

  private static final String[] PATHS = {"/", "/slow", "/stream", "/f/file", "/fails", "/nothing"};

  private static void client(InetSocketAddress server, Random random) {
    try (var client = RawTwo.open(server)) {
      int id = 1;
      for (int i = random.nextInt(12); i >= 0; i--, id += 2) {
        switch (random.nextInt(5)) {
          case 0 -> client.post(id, "/").data(id, "x".repeat(random.nextInt(9000)), true);
          case 1 -> client.post(id, "/", "expect", "100-continue").data(id, "abc", false);
          case 2 -> client.get(id, PATHS[random.nextInt(PATHS.length)]).reset(id, 8);
          default -> client.get(id, PATHS[random.nextInt(PATHS.length)]);
        }
        pause(random, 6);
      }
      switch (random.nextInt(5)) {
        case 0 -> client.stream.reset();
        case 1 -> pause(random, 50);
        case 2 -> client.window(0, 100_000).window(1, 50_000).answer(1);
        case 3 -> client.stream.write(new byte[100]);
        default -> Time.timeout(Duration.ofMillis(20), client::farewell);
      }
    } catch (Exception gone) {
      // as it may be
    }
  }
}
