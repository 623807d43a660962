// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/// Netty with nothing around it: one event loop, its codec, one handler, `PORT epoll` or `PORT nio`. It
/// sends no date and no name, which others do.
public final class NettyHttp {
  private static final ByteBuf HELLO =
      Unpooled.unreleasableBuffer(
          Unpooled.directBuffer()
              .writeBytes("Hello, World!".getBytes(StandardCharsets.US_ASCII))
              .asReadOnly());

  private NettyHttp() {}

  public static void main(String[] args) throws Exception {
    boolean epoll = args[1].equals("epoll");
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
                channel.pipeline().addLast(new HttpServerCodec(), new Hello());
              }
            })
        .bind("127.0.0.1", Integer.parseInt(args[0]))
        .sync()
        .channel()
        .closeFuture()
        .sync();
  }

  private static final class Hello extends SimpleChannelInboundHandler<HttpObject> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
      if (part instanceof HttpRequest) {
        FullHttpResponse response =
            new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, HELLO.duplicate());
        response
            .headers()
            .set(HttpHeaderNames.CONTENT_TYPE, "text/plain")
            .setInt(HttpHeaderNames.CONTENT_LENGTH, HELLO.readableBytes());
        context.write(response, context.voidPromise());
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }
}
