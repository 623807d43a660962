// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.http;

import dev.couv.coro.Loop;
import dev.couv.http.HttpServer;
import dev.couv.http.Response;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/// Couv's HTTP server as a user writes it: `PORT`, and a directory whose files are below `/files`.
public final class CouvHttp {
  private CouvHttp() {}

  public static void main(String[] args) throws Exception {
    Loop.run(
        () -> {
          var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]));
          try (HttpServer server = HttpServer.open(address)) {
            server.route("GET", "/", request -> Response.text("Hello, World!"));
            server.files("/files", Path.of(args[1]));
            server.serve();
          }
        });
  }
}
