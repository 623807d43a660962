// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.echo;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;

/// Netty with TLS by the JDK's engine, on its epoll: `PORT CERTIFICATE KEY`.
public final class NettyTls {
  private NettyTls() {}

  public static void main(String[] args) throws Exception {
    SslContext tls =
        SslContextBuilder.forServer(new File(args[1]), new File(args[2]))
            .sslProvider(SslProvider.JDK)
            .build();
    NettyEcho.serve(
        Integer.parseInt(args[0]),
        true,
        channel -> channel.pipeline().addFirst(tls.newHandler(channel.alloc())));
  }
}
