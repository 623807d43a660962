// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.http;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;

/// Vert.x with one event loop, on Netty's native transport: `PORT`.
public final class VertxHttp {
  private VertxHttp() {}

  public static void main(String[] args) {
    VertxOptions options =
        new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true);
    Buffer hello = Buffer.buffer("Hello, World!");
    Vertx.vertx(options)
        .createHttpServer(new HttpServerOptions().setAcceptBacklog(4096))
        .requestHandler(
            request -> request.response().putHeader("content-type", "text/plain").end(hello))
        .listen(Integer.parseInt(args[0]), "127.0.0.1")
        .await();
  }
}
