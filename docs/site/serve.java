// SPDX-License-Identifier: Apache-2.0
import module dev.couv;
import module dev.couv.http;

/// Serves the site that tools/site has built: ./couv run docs/site/serve.java [DIRECTORY [PORT]].
void main(String[] arguments) throws Exception {
  var directory = Path.of(arguments.length > 0 ? arguments[0] : "target/site");
  int port = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0;
  try (var server = HttpServer.open(new InetSocketAddress("127.0.0.1", port))) {
    server.files("/", directory);
    IO.println("listening at 127.0.0.1:" + server.local().getPort() + ", Ctrl-C ends it");
    server.serve();
  }
}
