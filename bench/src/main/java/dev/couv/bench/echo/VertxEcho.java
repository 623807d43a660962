// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.echo;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetServerOptions;

/// Vert.x with one event loop, on Netty's native transport: `PORT`.
public final class VertxEcho {
  private VertxEcho() {}

  public static void main(String[] args) {
    VertxOptions options =
        new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true);
    Vertx.vertx(options)
        .createNetServer(new NetServerOptions().setAcceptBacklog(4096).setTcpNoDelay(true))
        .connectHandler(
            socket -> socket.handler(socket::write).exceptionHandler(_ -> socket.close()))
        .listen(Integer.parseInt(args[0]), "127.0.0.1")
        .await();
  }
}
