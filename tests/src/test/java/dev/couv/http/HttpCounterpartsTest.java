// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Needed;
import dev.couv.coro.Loop;
import dev.couv.net.TlsFiles;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients that nobody here wrote: curl, the JDK's, Python's, Node's.
@InLoop
class HttpCounterpartsTest {
  @TempDir Path directory;

  private static void routes(HttpServer server) {
    server.route("GET", "/hello", request -> Response.text("hello " + request.parameter("name")));
    server.route("PUT", "/echo", HttpCounterpartsTest::echo);
    server.route("POST", "/echo", HttpCounterpartsTest::echo);
  }

  /// As a stream, for which all of it is read first: most clients read only when they have written.
  private static Response echo(Request request) throws Exception {
    List<ByteBuffer> pieces = new ArrayList<>();
    for (ByteBuffer piece; (piece = request.body().read()) != null; ) {
      pieces.add(piece);
    }
    return Response.stream(
        "application/octet-stream",
        out -> {
          for (ByteBuffer piece : pieces) {
            out.write(piece);
          }
        });
  }

  private static String run(String... command) throws Exception {
    Needed.program(command[0]);
    return Loop.offload(
        () -> {
          Process process =
              new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectInput(Path.of("/dev/null").toFile())
                  .start();
          String said = new String(process.getInputStream().readAllBytes(), UTF_8);
          return process.waitFor() == 0 ? said : "failed: " + said;
        });
  }

  private Path random(String name, int size) throws IOException {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return Files.write(directory.resolve(name), bytes);
  }

  @Test
  void curlGetsPutsAndResumes() throws Exception {
    Path large = random("large", 3 << 20);
    Path back = directory.resolve("back");
    try (var http =
        HttpFixture.open(
            server -> {
              routes(server);
              server.files("/f", directory);
            })) {
      String base = "http://127.0.0.1:" + http.address().getPort();
      String both = base + "/hello?name=";
      assertEquals("hello a bhello c", run("curl", "-sS", "--fail", both + "a%20b", both + "c"));
      for (String kind : List.of("Expect: 100-continue", "Transfer-Encoding: chunked", "Expect:")) {
        assertEquals(
            "",
            run(
                "curl",
                "-sS",
                "-H",
                kind,
                "-T",
                large.toString(),
                "-o",
                back.toString(),
                base + "/echo"));
        assertArrayEquals(Files.readAllBytes(large), Files.readAllBytes(back), kind);
      }
      Files.write(back, java.util.Arrays.copyOf(Files.readAllBytes(large), 1 << 20));
      assertEquals("", run("curl", "-sS", "-C", "-", "-o", back.toString(), base + "/f/large"));
      assertArrayEquals(Files.readAllBytes(large), Files.readAllBytes(back));
      assertTrue(run("curl", "-sSI", base + "/f/large").contains("content-length: 3145728"));
      assertEquals(
          "404", run("curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", base + "/nobody"));
    }
  }

  @Test
  void curlSpeaksTls() throws Exception {
    var options = ServerOptions.DEFAULT.withTls(TlsFiles.context("server"));
    try (var http = HttpFixture.open(options, HttpCounterpartsTest::routes)) {
      String url = "https://localhost:" + http.address().getPort() + "/hello?name=x";

      assertEquals(
          "hello xhello x",
          run("curl", "-sS", "--http1.1", "--cacert", TlsFiles.ca().toString(), url, url));
    }
  }

  @Test
  void theClientOfTheJdk() throws Exception {
    byte[] large = Files.readAllBytes(random("large", 1 << 20));
    try (var http = HttpFixture.open(HttpCounterpartsTest::routes)) {
      String base = "http://127.0.0.1:" + http.address().getPort();
      Loop.offload(
          () -> {
            try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
              for (int i = 0; i < 50; i++) {
                var get = HttpRequest.newBuilder(URI.create(base + "/hello?name=" + i)).build();
                assertEquals("hello " + i, client.send(get, BodyHandlers.ofString()).body());
              }
              for (boolean asking : new boolean[] {false, true}) {
                var post =
                    HttpRequest.newBuilder(URI.create(base + "/echo"))
                        .expectContinue(asking)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(large))
                        .build();
                assertArrayEquals(large, client.send(post, BodyHandlers.ofByteArray()).body());
              }
            }
            return true;
          });
    }
  }

  @Test
  void theClientsOfPythonAndNode() throws Exception {
    try (var http = HttpFixture.open(HttpCounterpartsTest::routes)) {
      int port = http.address().getPort();
      String python =
          """
          import http.client
          c = http.client.HTTPConnection('127.0.0.1', %d)
          for i in range(3):
              c.request('POST', '/echo', iter([b'a' * 1000, b'b' * 70000]), encode_chunked=True)
              r = c.getresponse()
              print(r.status, len(r.read()))
          """;
      String node =
          """
          const http = require('http'), agent = new http.Agent({keepAlive: true, maxSockets: 1});
          let left = 3;
          for (let i = 0; i < 3; i++)
            http.get({port: %d, host: '127.0.0.1', path: '/hello?name=' + i, agent}, r => {
              r.on('data', d => console.log(r.statusCode, d.toString()));
              r.on('end', () => { if (--left == 0) agent.destroy(); });
            });
          """;

      assertEquals("200 71000\n".repeat(3), run("python3", "-c", python.formatted(port)));
      assertEquals(
          "200 hello 0\n200 hello 1\n200 hello 2\n", run("node", "-e", node.formatted(port)));
    }
  }
}
