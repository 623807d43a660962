// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Patience;
import dev.couv.net.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The server that speaks the protocol of Redis, and those whom Redis itself comes with.
@Tag("jvm")
class RedisExampleTest {
  @Test
  void redisCliIsAnsweredAsByRedis() throws Exception {
    try (var redis = new Cli().start("run", "examples/redis.java")) {
      int port = redis.port();

      assertEquals("OK", cli(port, "SET", "a", "with\nlines\r\n"));
      assertEquals("with\nlines\r\n", cli(port, "GET", "a"));
      assertEquals("", cli(port, "GET", "nobody"));
      assertEquals("7", cli(port, "INCRBY", "n", "7"));
      assertEquals("8", cli(port, "INCR", "n"));
      assertEquals("2", cli(port, "EXISTS", "a", "n", "nobody"));
      assertEquals("1", cli(port, "DEL", "a", "nobody"));
      assertEquals("PONG", cli(port, "PING"));
      assertEquals(
          "ERR value is not an integer or out of range\n", cli(port, "INCRBY", "n", "many"));
      cli(port, "SET", "n", String.valueOf(Long.MAX_VALUE));
      assertEquals("ERR long overflow\n", cli(port, "INCR", "n"));
      assertEquals("ERR wrong number of arguments for 'get' command\n", cli(port, "GET"));
      assertEquals("ERR unknown command 'SUBSCRIBE'\n", cli(port, "subscribe", "x"));

      assertEquals("OK", cli(port, "PSETEX", "short", "1", "life"));
      Patience.until(() -> quietly(port, "GET", "short").isEmpty());
      assertEquals("0", cli(port, "DEL", "short"));
      assertEquals("ERR invalid expire time\n", cli(port, "PSETEX", "short", "0", "life"));
    }
  }

  @Test
  void aLineWithoutAnEndIsRefused() throws Exception {
    try (var redis = new Cli().start("run", "examples/redis.java")) {
      int port = redis.port();
      try (var socket = new Socket("127.0.0.1", port)) {
        socket.getOutputStream().write("a".repeat((1 << 16) + 1).getBytes(UTF_8));

        String answer = new String(socket.getInputStream().readNBytes(20), UTF_8);

        assertEquals("-ERR Protocol error:", answer);
      }
      assertEquals("PONG", cli(port, "PING"));
    }
  }

  @Test
  void redisBenchmarkRunsThrough() throws Exception {
    try (var redis = new Cli().start("run", "examples/redis.java")) {
      int port = redis.port();
      try (Program benchmark =
          Program.start(
              "redis-benchmark",
              "-p",
              String.valueOf(port),
              "--csv",
              "-t",
              "ping,set,get,incr",
              "-n",
              "5000",
              "-P",
              "16",
              "-r",
              "100")) {
        String said = benchmark.end();
        List<String> lines = said.lines().toList();
        assertEquals("0", lines.getFirst(), said);
        for (String test : List.of("PING_INLINE", "PING_MBULK", "SET", "GET", "INCR")) {
          assertTrue(lines.stream().anyMatch(line -> line.startsWith("\"" + test + "\",")), said);
        }
        assertTrue(lines.stream().noneMatch(line -> line.contains("ERR")), said);
      }
    }
  }

  @Test
  void whatIsNoRequestIsToldAndClosedAndOthersGoOn() throws Exception {
    try (var redis = new Cli().start("run", "examples/redis.java")) {
      int port = redis.port();

      assertEquals(
          "+PONG\r\n-ERR Protocol error: invalid length\r\n", say(port, "PING\r\n*1\r\n$-5\r\n"));
      assertEquals("-ERR Protocol error: invalid length\r\n", say(port, "*99999999\r\n"));
      assertEquals("-ERR Protocol error: expected '$'\r\n", say(port, "*1\r\n:5\r\n"));
      assertEquals("-ERR Protocol error: expected CRLF\r\n", say(port, "*1\r\n$4\r\nPINGPONG"));
      assertEquals("PONG", cli(port, "PING"));
    }
  }

  @Test
  void aPortThatIsNoneIsRefused() throws Exception {
    var end = new Cli().run("run", "examples/redis.java", "here");

    assertEquals(List.of("usage: redis.java [PORT]"), end.err());
    assertEquals(2, end.status());
  }

  /// What redis-cli shows, without the line end that is its own.
  private static String cli(int port, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("redis-cli", "-p", String.valueOf(port)));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    try (var out = process.getInputStream()) {
      String said = new String(out.readAllBytes(), UTF_8);
      assertTrue(process.onExit().join().exitValue() <= 1, said);
      return said.substring(0, said.length() - 1);
    }
  }

  private static String quietly(int port, String... words) {
    try {
      return cli(port, words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String say(int port, String bytes) throws IOException {
    try (var client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      client.setSoTimeout(120_000);
      client.getOutputStream().write(bytes.getBytes(UTF_8));
      return new String(client.getInputStream().readAllBytes(), UTF_8);
    }
  }
}
