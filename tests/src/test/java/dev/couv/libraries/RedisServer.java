// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import dev.couv.Needed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

/// A Redis server that is empty and keeps nothing.
final class RedisServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Path folder;
  private final ServerProcess process;

  private RedisServer(Path folder, ServerProcess process) {
    this.folder = folder;
    this.process = process;
  }

  static RedisServer open() throws Exception {
    String program = Needed.program("redis-server");
    Path folder = Files.createTempDirectory("couv-redis");
    try {
      ServerProcess process =
          ServerProcess.start(
              "TERM",
              "Ready to accept connections",
              port ->
                  List.of(
                      program,
                      "--bind",
                      "127.0.0.1",
                      "--port",
                      Integer.toString(port),
                      "--dir",
                      folder.toString(),
                      "--save",
                      ""));
      return new RedisServer(folder, process);
    } catch (Throwable failed) {
      ServerProcess.removeTree(folder);
      throw failed;
    }
  }

  /// A client with a pool of at most so many connections.
  RedisClient client(int most) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(most);
    pool.setMaxIdle(most);
    pool.setMaxWait(PATIENCE); // without a limit it spins: BusyPoolTest
    int patience = Math.toIntExact(PATIENCE.toMillis());
    return RedisClient.builder()
        .hostAndPort("127.0.0.1", process.port())
        .clientConfig(DefaultJedisClientConfig.builder().timeoutMillis(patience).build())
        .poolConfig(pool)
        .build();
  }

  @Override
  public void close() throws IOException {
    process.close();
    ServerProcess.removeTree(folder);
  }
}
