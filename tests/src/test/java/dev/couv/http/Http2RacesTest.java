// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.net.InetSocketAddress;
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
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverEndsWhenever(int seed, @TempDir Path directory) throws Exception {
    HttpRaces.run(seed, 30, directory, Http2RacesTest::client);
  }

  private static final String[] PATHS = {"/", "/slow", "/stream", "/f/file", "/fails", "/nothing"};

  private static void client(InetSocketAddress server, Random random) throws Exception {
    try (var client = RawTwo.open(server)) {
      int id = 1;
      for (int i = random.nextInt(12); i >= 0; i--, id += 2) {
        switch (random.nextInt(5)) {
          case 0 -> client.post(id, "/").data(id, "x".repeat(random.nextInt(9000)), true);
          case 1 -> client.post(id, "/", "expect", "100-continue").data(id, "abc", false);
          case 2 -> client.get(id, PATHS[random.nextInt(PATHS.length)]).reset(id, 8);
          default -> client.get(id, PATHS[random.nextInt(PATHS.length)]);
        }
        HttpRaces.pause(random, 6);
      }
      switch (random.nextInt(5)) {
        case 0 -> client.stream.reset();
        case 1 -> HttpRaces.pause(random, 50);
        case 2 -> client.window(0, 100_000).window(1, 50_000).answer(1);
        case 3 -> client.stream.write(new byte[100]);
        default -> Time.timeout(Duration.ofMillis(20), client::farewell);
      }
    }
  }
}
