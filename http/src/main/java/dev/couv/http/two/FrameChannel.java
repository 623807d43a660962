// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import dev.couv.http.HttpLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Netty's HTTP/2 as an object: bytes of the client go in, and come out as frames at its listener; frames go in, and come
/// out as bytes, when flow control lets them. Nothing in it waits, and nobody but the coroutines that read and write the
/// connection calls it: Netty keeps a table for each thread that does, and every coroutine is one.
final class FrameChannel extends EmbeddedChannel {
  /// The least of all bodies of a connection that came and were not taken; of one body it is 65,535, as the protocol begins.
  static final int WINDOW = 1 << 20;

  /// Resets in a time, of seconds: whoever makes requests and takes them back costs more than he pays.
  private static final int RESETS = 200;

  private static final int OUR_RESETS = 1000;
  private static final int RESETS_TIME = 30;

  /// Frames of a head that are nearly empty, and frames of a body that are.
  private static final int SMALL_CONTINUATIONS = 16;

  private static final int EMPTY_DATA = 8;

  /// Of header compression, for the headers that we send, whatever more the client would keep.
  private static final int HEADER_TABLE = 1 << 12;

  private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false, true);
  private static final byte[] NOTHING = new byte[0];

  private final Http2FrameCodec codec;
  private final FarewellConnection connection;

  private byte[] out = NOTHING;
  private int size;
  private long produced;

  private FrameChannel(
      Http2FrameCodec codec, FarewellConnection connection, ChannelInboundHandler frames) {
    super(false, false, codec, frames);
    this.codec = codec;
    this.connection = connection;
  }

  /// Lets the state of the connection be given, which Netty's own leaves to who extends it.
  private static final class Builder extends Http2FrameCodecBuilder {
    Builder(FarewellConnection connection) {
      connection(connection);
    }
  }

  /// One that has its first bytes to send already.
  static FrameChannel open(HttpLimits limits, ChannelInboundHandler frames) {
    Http2Settings settings =
        Http2Settings.defaultSettings()
            .maxConcurrentStreams(limits.streams())
            .maxHeaderListSize((long) limits.line() + limits.head());
    FarewellConnection connection = new FarewellConnection();
    Http2FrameCodec codec =
        new Builder(connection)
            .initialSettings(settings)
            .validateHeaders(true)
            .validateRequiredPseudoHeaders(true)
            .encoderIgnoreMaxHeaderListSize(true)
            .decoderEnforceMaxConsecutiveEmptyDataFrames(EMPTY_DATA)
            .decoderEnforceMaxSmallContinuationFrames(SMALL_CONTINUATIONS)
            .decoderEnforceMaxRstFramesPerWindow(RESETS, RESETS_TIME)
            .encoderEnforceMaxRstFramesPerWindow(OUR_RESETS, RESETS_TIME)
            .build();
    FrameChannel channel = new FrameChannel(codec, connection, frames);
    channel.config().setAllocator(HEAP);
    try {
      channel.register();
    } catch (Exception e) {
      throw new AssertionError("a channel without a transport cannot fail to be registered", e);
    }
    channel.say(
        new DefaultHttp2WindowUpdateFrame(
            window(limits) - codec.connection().local().flowController().initialWindowSize()));
    channel.flush();
    return channel;
  }

  /// So many that bodies which nobody reads leave the others their share.
  private static int window(HttpLimits limits) {
    long all = (long) limits.streams() * Http2CodecUtil.DEFAULT_WINDOW_SIZE;
    return Math.clamp(all, WINDOW, Integer.MAX_VALUE);
  }

  /// What the client sent.
  void feed(ByteBuffer bytes) {
    pipeline().fireChannelRead(Unpooled.wrappedBuffer(bytes));
    pipeline().fireChannelReadComplete();
    runPendingTasks();
  }

  /// The client said how much it would keep of headers: we use no more than usual of that.
  void limitHeaderTable() {
    try {
      var headers = codec.encoder().configuration().headersConfiguration();
      if (headers.maxHeaderTableSize() > HEADER_TABLE) {
        headers.maxHeaderTableSize(HEADER_TABLE);
      }
    } catch (Http2Exception e) {
      throw new AssertionError(e);
    }
  }

  /// Whether the client was told that this stream would not be answered.
  boolean isBehindFarewell(int id) {
    return connection.isBehindFarewell(id);
  }

  // ---- what is to be sent

  /// A frame that nobody waits for. If it cannot be sent, its stream has ended, or the connection: whoever has to know
  /// that is told so otherwise.
  @SuppressWarnings("FutureReturnValueIgnored")
  void say(Http2Frame frame) {
    write(frame);
  }

  /// A frame that somebody waits for: null when it was let go, or why it will not be.
  @SuppressWarnings("FutureReturnValueIgnored")
  void say(Http2Frame frame, Consumer<@Nullable Throwable> then) {
    write(frame).addListener((ChannelFuture done) -> then.accept(done.cause()));
  }

  @Override
  protected void handleOutboundMessage(Object message) {
    if (message instanceof ByteBuf bytes) {
      int count = bytes.readableBytes();
      if (out.length - size < count) {
        out = Arrays.copyOf(out, Math.max(size + count, Math.max(2 * out.length, 1 << 10)));
      }
      bytes.readBytes(out, size, count);
      size += count;
      produced += count;
    }
    ReferenceCountUtil.release(message);
  }

  /// How many bytes are to be sent.
  int size() {
    return size;
  }

  /// How many there have been in all.
  long produced() {
    return produced;
  }

  /// All that is to be sent, in a buffer that is the caller's.
  ByteBuffer take() {
    ByteBuffer taken = ByteBuffer.wrap(out, 0, size);
    out = NOTHING;
    size = 0;
    return taken;
  }
}
