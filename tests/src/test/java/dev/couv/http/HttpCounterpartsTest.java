// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Loop;
import dev.couv.net.TlsFiles;
import dev.couv.testing.InLoop;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients that nobody here wrote: curl, the JDK's, Python's, Node's.
@InLoop
class HttpCounterpartsTest {
  @TempDir Path directory;

  @Test
  void curlGetsPutsAndResumes() throws Exception {
    Path large = OtherClients.random(directory, "large", 3 << 20);
    Path back = directory.resolve("back");
    try (var http =
        HttpFixture.open(
            server -> {
              OtherClients.patient(server);
              server.files("/f", directory);
            })) {
      String base = "http://127.0.0.1:" + http.address().getPort();
      String both = base + "/hello?name=";
      assertEquals(
          "HTTP/1.1 a bHTTP/1.1 c",
          OtherClients.run("curl", "-sS", "--fail", both + "a%20b", both + "c"));
      for (String kind : List.of("Expect: 100-continue", "Transfer-Encoding: chunked", "Expect:")) {
        assertEquals(
            "",
            OtherClients.run(
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
      assertEquals(
          "", OtherClients.run("curl", "-sS", "-C", "-", "-o", back.toString(), base + "/f/large"));
      assertArrayEquals(Files.readAllBytes(large), Files.readAllBytes(back));
      assertTrue(
          OtherClients.run("curl", "-sSI", base + "/f/large").contains("content-length: 3145728"));
      assertEquals(
          "404",
          OtherClients.run(
              "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", base + "/nobody"));
    }
  }

  @Test
  void curlSpeaksTls() throws Exception {
    var options = ServerOptions.DEFAULT.withTls(TlsFiles.context("server"));
    try (var http = HttpFixture.open(options, OtherClients::patient)) {
      String url = "https://localhost:" + http.address().getPort() + "/hello?name=x";

      assertEquals(
          "HTTP/1.1 xHTTP/1.1 x",
          OtherClients.run(
              "curl", "-sS", "--http1.1", "--cacert", TlsFiles.ca().toString(), url, url));
    }
  }

  @Test
  void theClientOfTheJdk() throws Exception {
    byte[] large = Files.readAllBytes(OtherClients.random(directory, "large", 1 << 20));
    try (var http = HttpFixture.open(OtherClients::patient)) {
      String base = "http://127.0.0.1:" + http.address().getPort();
      Loop.offload(
          () -> {
            try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
              for (int i = 0; i < 50; i++) {
                var get = HttpRequest.newBuilder(URI.create(base + "/hello?name=" + i)).build();
                assertEquals("HTTP/1.1 " + i, client.send(get, BodyHandlers.ofString()).body());
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
    try (var http = HttpFixture.open(OtherClients::patient)) {
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

      assertEquals(
          "200 71000\n".repeat(3), OtherClients.run("python3", "-c", python.formatted(port)));
      assertEquals(
          "200 HTTP/1.1 0\n200 HTTP/1.1 1\n200 HTTP/1.1 2\n",
          OtherClients.run("node", "-e", node.formatted(port)));
    }
  }
}
