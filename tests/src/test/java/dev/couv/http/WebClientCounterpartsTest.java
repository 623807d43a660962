// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Loop;
import dev.couv.net.Program;
import dev.couv.testing.InLoop;
import org.junit.jupiter.api.Test;

/// A client with a server that nobody here wrote: Node's.
@InLoop
class WebClientCounterpartsTest {
  private static final String SERVER =
      """
      const http = require('http'), zlib = require('zlib');
      let connections = 0;
      const server = http.createServer((request, response) => {
        if (request.url === '/gzip') {
          response.setHeader('Content-Encoding', 'gzip');
          response.end(zlib.gzipSync('zipped '.repeat(10000)));
        } else if (request.url === '/count') {
          response.end('' + connections);
        } else if (request.url === '/moved') {
          response.writeHead(307, {Location: '/echo'});
          response.end('elsewhere');
        } else {
          request.on('data', data => response.write(data));
          request.on('end', () => { response.addTrailers({'X-Sum': '7'}); response.end(); });
        }
      });
      server.on('connection', () => connections++);
      server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port));
      """;

  @Test
  void theServerOfNode() throws Exception {
    try (Program node = Loop.offload(() -> Program.start("node", "-e", SERVER))) {
      String line = Loop.offload(() -> node.line("port "));
      String uri = "http://127.0.0.1:" + line.substring(5).trim();
      try (var client = WebClient.open(ClientOptions.DEFAULT.withGzip(1 << 20))) {
        try (var answer = client.get(uri + "/gzip")) {
          assertEquals("zipped ".repeat(10000), answer.text(1 << 20));
        }
        try (var answer = client.post(uri + "/moved", "to and fro")) {
          assertEquals("to and fro", answer.text(100));
          assertEquals(uri + "/echo", answer.uri().toString());
        }
        byte[] large = "large ".repeat(300_000).getBytes(UTF_8);
        var put = ClientRequest.of("PUT", uri + "/echo").withExpect(true);
        var streamed = put.withStream("text/plain", out -> out.write(large));
        try (var answer = client.send(streamed)) {
          assertEquals(large.length, answer.bytes(1 << 22).length);
          assertEquals("7", answer.body().trailers().get("x-sum"));
        }
        try (var answer = client.get(uri + "/count")) {
          assertEquals("1", answer.text(10));
        }
      }
    }
  }
}
