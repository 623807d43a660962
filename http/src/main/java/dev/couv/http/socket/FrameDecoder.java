// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

import dev.couv.http.WebSocketException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Netty's decoder of frames as a plain object, and the checks that it leaves to extensions.
final class FrameDecoder extends WebSocket13FrameDecoder {
  /// All that the decoder asks its context for is an allocator, and whether a channel is to be told of a failure: so one is
  /// enough for all decoders of all loops.
  private static final ChannelHandlerContext CONTEXT = context();

  /// The reserved bit of a message that is compressed.
  private static final int COMPRESSED = 4;

  private final boolean compressing;
  private final List<Object> frames = new ArrayList<>(1);

  /// @param masked whether frames come from a client
  /// @param compressing whether messages may be compressed
  /// @param longest the most bytes of a frame
  FrameDecoder(boolean masked, boolean compressing, int longest) {
    super(
        WebSocketDecoderConfig.newBuilder()
            .expectMaskedFrames(masked)
            .allowExtensions(compressing)
            .maxFramePayloadLength(longest)
            .closeOnProtocolViolation(false)
            .withUTF8Validator(false)
            .build());
    this.compressing = compressing;
  }

  private static ChannelHandlerContext context() {
    EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    channel.config().setAllocator(new UnpooledByteBufAllocator(false, true));
    return channel.pipeline().firstContext();
  }

  /// The next frame, with bytes of its own on the heap, if all of it is here; else null. What is taken of the bytes before
  /// is remembered.
  @Nullable WebSocketFrame next(ByteBuf bytes) throws WebSocketException {
    frames.clear();
    try {
      decode(CONTEXT, bytes, frames);
    } catch (CorruptedWebSocketFrameException wrong) {
      throw new WebSocketException(wrong.closeStatus().code(), String.valueOf(wrong.getMessage()));
    } catch (DecoderException wrong) {
      throw new WebSocketException(CloseCodes.PROTOCOL_ERROR, String.valueOf(wrong.getMessage()));
    } catch (Exception e) {
      throw new AssertionError("Netty's decoder throws what is above", e);
    }
    if (frames.isEmpty()) {
      return null;
    }
    WebSocketFrame frame = (WebSocketFrame) frames.getFirst();
    if (compressing && !isAllowed(frame)) {
      throw new WebSocketException(CloseCodes.PROTOCOL_ERROR, "reserved bits: " + frame.rsv());
    }
    return frame;
  }

  /// One bit, and that only where a message begins.
  private static boolean isAllowed(WebSocketFrame frame) {
    return switch (frame) {
      case ContinuationWebSocketFrame _, PingWebSocketFrame _, PongWebSocketFrame _ ->
          frame.rsv() == 0;
      case CloseWebSocketFrame _ -> frame.rsv() == 0;
      default -> frame.rsv() == 0 || frame.rsv() == COMPRESSED;
    };
  }

  static boolean isCompressed(WebSocketFrame frame) {
    return frame.rsv() == COMPRESSED;
  }
}
