// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;

/// Helidon, whose requests are virtual threads: `PORT`.
public final class HelidonHttp {
  private HelidonHttp() {}

  public static void main(String[] args) {
    WebServer.builder()
        .host("127.0.0.1")
        .port(Integer.parseInt(args[0]))
        .backlog(4096)
        .routing(
            routing ->
                routing.get(
                    "/",
                    (request, response) ->
                        response
                            .header(HeaderNames.CONTENT_TYPE, "text/plain")
                            .send("Hello, World!")))
        .build()
        .start();
  }
}
