// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStreamException;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.util.ReferenceCountUtil;

/// Tells a connection of the frames that came.
final class FrameListener extends ChannelInboundHandlerAdapter {
  private final TwoConnection connection;

  FrameListener(TwoConnection connection) {
    this.connection = connection;
  }

  /// Said here, because otherwise Netty looks it up in a table of each thread.
  @Override
  public boolean isSharable() {
    return false;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      switch (message) {
        case Http2HeadersFrame head ->
            connection.headCame(head.stream(), head.headers(), head.isEndStream());
        case Http2DataFrame data ->
            connection.dataCame(
                data.stream(),
                data.content(),
                data.initialFlowControlledBytes(),
                data.isEndStream());
        case Http2ResetFrame reset -> connection.resetCame(reset.stream(), reset.errorCode());
        case Http2SettingsFrame _ -> connection.settingsCame();
        case Http2PingFrame ping when ping.ack() -> {}
        case Http2PingFrame _ -> connection.idleTalk();
        default -> {}
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  /// Of a stream: it is for us to reset it. What is wrong with the connection Netty has said to the client already, and
  /// closed its channel.
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Http2FrameStreamException failed) {
      connection.malformed(failed.stream(), failed.error());
    } else {
      connection.broken(cause);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    // of streams that open, close and become writable, all of which is told otherwise
  }
}
