// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Loop;
import dev.couv.net.TlsFiles;
import dev.couv.testing.InLoop;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients of HTTP/2 that nobody here wrote: curl, the JDK's, OkHttp, Node's.
@InLoop
class Http2CounterpartsTest {
  @TempDir Path directory;

  @Test
  void curlKnowsBefore() throws Exception {
    Path large = OtherClients.random(directory, "large", 3 << 20);
    Path back = directory.resolve("back");
    try (var http =
        HttpFixture.open(
            server -> {
              OtherClients.eager(server);
              server.files("/f", directory);
            })) {
      String base = "http://127.0.0.1:" + http.address().getPort();
      String both = base + "/hello?name=";
      String known = "--http2-prior-knowledge";
      // One at a time: this curl cannot do two over such a connection, with any server.
      assertEquals(
          "HTTP/2.0 a b", OtherClients.run("curl", "-sS", "--fail", known, both + "a%20b"));
      for (String kind : List.of("Expect: 100-continue", "Expect:")) {
        String[] put = {
          "curl",
          "-sS",
          known,
          "-H",
          kind,
          "-T",
          large.toString(),
          "-o",
          back.toString(),
          base + "/echo"
        };
        assertEquals("", OtherClients.run(put));
        assertArrayEquals(Files.readAllBytes(large), Files.readAllBytes(back), kind);
      }
      assertEquals(
          "", OtherClients.run("curl", "-sS", known, "-o", back.toString(), base + "/f/large"));
      assertArrayEquals(Files.readAllBytes(large), Files.readAllBytes(back));
      assertEquals(
          "403 2",
          OtherClients.run(
              "curl",
              "-sS",
              known,
              "-o",
              "/dev/null",
              "-w",
              "%{http_code} %{http_version}",
              "--data-binary",
              "@" + large,
              base + "/no"));
      // One that offers it in a request of the old version gets its answer in that.
      assertEquals("HTTP/1.1 x", OtherClients.run("curl", "-sS", "--fail", "--http2", both + "x"));
    }
  }

  @Test
  void curlChoosesInTls() throws Exception {
    Path large = OtherClients.random(directory, "large", 1 << 20);
    Path back = directory.resolve("back");
    var options = ServerOptions.DEFAULT.withTls(TlsFiles.context("server"));
    try (var http = HttpFixture.open(options, OtherClients::eager)) {
      String base = "https://localhost:" + http.address().getPort();
      String url = base + "/hello?name=x";
      String ca = TlsFiles.ca().toString();

      assertEquals(
          "HTTP/2.0 xHTTP/2.0 x",
          OtherClients.run("curl", "-sS", "--http2", "--cacert", ca, url, url));
      assertEquals("HTTP/1.1 x", OtherClients.run("curl", "-sS", "--http1.1", "--cacert", ca, url));
      assertEquals(
          "",
          OtherClients.run(
              "curl",
              "-sS",
              "--cacert",
              ca,
              "-T",
              large.toString(),
              "-o",
              back.toString(),
              base + "/echo"));
      assertArrayEquals(Files.readAllBytes(large), Files.readAllBytes(back));
    }
  }

  @Test
  void theClientOfTheJdk() throws Exception {
    byte[] large = Files.readAllBytes(OtherClients.random(directory, "large", 1 << 20));
    var options = ServerOptions.DEFAULT.withTls(TlsFiles.context("server"));
    try (var http = HttpFixture.open(options, OtherClients::eager)) {
      String base = "https://localhost:" + http.address().getPort();
      Loop.offload(
          () -> {
            try (var client =
                HttpClient.newBuilder().sslContext(TlsFiles.context("client")).build()) {
              List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
              for (int i = 0; i < 60; i++) {
                var get = HttpRequest.newBuilder(URI.create(base + "/hello?name=" + i)).build();
                all.add(client.sendAsync(get, BodyHandlers.ofString()));
              }
              for (int i = 0; i < 60; i++) {
                assertEquals("HTTP/2.0 " + i, all.get(i).get().body());
              }
              for (boolean asking : new boolean[] {false, true}) {
                var post =
                    HttpRequest.newBuilder(URI.create(base + "/echo"))
                        .expectContinue(asking)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(large))
                        .build();
                var answer = client.send(post, BodyHandlers.ofByteArray());
                assertArrayEquals(large, answer.body());
                assertEquals(HttpClient.Version.HTTP_2, answer.version());
              }
            }
            return true;
          });
    }
  }

  @Test
  void okHttpKnowsBefore() throws Exception {
    byte[] large = Files.readAllBytes(OtherClients.random(directory, "large", 1 << 20));
    try (var http = HttpFixture.open(OtherClients::eager)) {
      String base = "http://127.0.0.1:" + http.address().getPort();
      Loop.offload(
          () -> {
            OkHttpClient client =
                new OkHttpClient.Builder().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE)).build();
            try {
              for (int i = 0; i < 20; i++) {
                var get = new okhttp3.Request.Builder().url(base + "/hello?name=" + i).build();
                try (var answer = client.newCall(get).execute()) {
                  assertEquals("HTTP/2.0 " + i, answer.body().string());
                }
              }
              var post =
                  new okhttp3.Request.Builder()
                      .url(base + "/echo")
                      .post(okhttp3.RequestBody.create(large))
                      .build();
              try (var answer = client.newCall(post).execute()) {
                assertArrayEquals(large, answer.body().bytes());
              }
            } finally {
              client.dispatcher().executorService().shutdown();
              client.connectionPool().evictAll();
            }
            return true;
          });
    }
  }

  @Test
  void theClientOfNode() throws Exception {
    try (var http = HttpFixture.open(OtherClients::eager)) {
      String node =
          """
          const http2 = require('http2'), c = http2.connect('http://127.0.0.1:%d');
          const said = []; let left = 31;
          const done = () => { if (--left == 0) { console.log(said.sort().join()); c.close(); } };
          for (let i = 10; i < 40; i++) {
            const r = c.request({':path': '/hello?name=' + i});
            r.on('data', d => said.push(d.toString().slice(9)));
            r.on('end', done);
          }
          const p = c.request({':path': '/echo', ':method': 'POST'});
          let n = 0;
          p.on('data', d => n += d.length);
          p.on('end', () => { said.push(n); done(); });
          for (let i = 0; i < 10; i++) p.write(Buffer.alloc(30000));
          p.end();
          """;
      List<String> expected = new ArrayList<>();
      for (int i = 10; i < 40; i++) {
        expected.add("" + i);
      }
      expected.add("300000");
      expected.sort(null);

      assertEquals(
          String.join(",", expected) + "\n",
          OtherClients.run("node", "-e", node.formatted(http.address().getPort())));
    }
  }
}
