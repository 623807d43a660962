// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.echo;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.function.Consumer;

/// Netty with nothing around it: one event loop, one handler, `PORT epoll` or `PORT nio`.
public final class NettyEcho {
  private NettyEcho() {}

  public static void main(String[] args) throws Exception {
    serve(Integer.parseInt(args[0]), args[1].equals("epoll"), _ -> {});
  }

  /// With something before the echo, or nothing.
  static void serve(int port, boolean epoll, Consumer<Channel> before) throws InterruptedException {
    IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    Class<? extends ServerChannel> kind =
        epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    new ServerBootstrap()
        .group(new MultiThreadIoEventLoopGroup(1, io))
        .channel(kind)
        .option(ChannelOption.SO_BACKLOG, 4096)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new Echo());
                before.accept(channel);
              }
            })
        .bind("127.0.0.1", port)
        .sync()
        .channel()
        .closeFuture()
        .sync();
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      context.write(bytes, context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable gone) {
      context.close();
    }
  }
}
