// SPDX-License-Identifier: Apache-2.0
package app;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.http.HttpServer;
import dev.couv.http.Response;
import dev.couv.http.WebClient;
import java.net.InetSocketAddress;

/// Asks a server of its own which engine it runs on.
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws Exception {
    Loop.run(
        () -> {
          try (var server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0))) {
            server.route("GET", "/", _ -> Response.text(Loop.current().stats().engine()));
            Coroutine.spawn(() -> server.serve());
            try (var client = WebClient.open();
                var answer = client.get("http://127.0.0.1:" + server.local().getPort() + "/")) {
              System.out.println(answer.status() + " " + answer.text(100));
            }
          }
        });
  }
}
