// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

import dev.couv.http.WebSocketException;
import dev.couv.http.WebSocketMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The message that comes, frame by frame.
final class Incoming {
  private static final char REPLACEMENT = '\ufffd';

  private final @Nullable Deflate deflate;
  private final int limit;

  private boolean text;
  private boolean compressed;

  /// The frames that came, of a message that has several; else null.
  private @Nullable ByteArrayOutputStream pieces;

  Incoming(@Nullable Deflate deflate, int limit) {
    this.deflate = deflate;
    this.limit = limit;
  }

  /// The message, if that frame was its last.
  @Nullable WebSocketMessage add(WebSocketFrame frame) throws WebSocketException {
    if (!(frame instanceof ContinuationWebSocketFrame)) {
      text = frame instanceof TextWebSocketFrame;
      compressed = FrameDecoder.isCompressed(frame);
    }
    byte[] bytes = bytes(frame.content());
    ByteArrayOutputStream before = pieces;
    if (before == null && frame.isFinalFragment()) {
      return message(bytes);
    }
    if (before == null) {
      before = new ByteArrayOutputStream(2 * bytes.length);
      pieces = before;
    }
    if (before.size() + (long) bytes.length > limit) {
      throw new WebSocketException(
          CloseCodes.TOO_LARGE, "a message of more than " + limit + " bytes");
    }
    before.writeBytes(bytes);
    if (!frame.isFinalFragment()) {
      return null;
    }
    pieces = null;
    return message(before.toByteArray());
  }

  private WebSocketMessage message(byte[] came) throws WebSocketException {
    Deflate inflating = deflate;
    byte[] bytes = compressed && inflating != null ? inflating.inflate(came, limit) : came;
    return text ? new WebSocketMessage.Text(text(bytes)) : new WebSocketMessage.Binary(bytes);
  }

  /// The quick way puts a replacement where something is wrong: only where there is one the slow way has to look whether
  /// it was sent.
  private static String text(byte[] bytes) throws WebSocketException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      try {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      } catch (CharacterCodingException wrong) {
        throw new WebSocketException(CloseCodes.NOT_UTF8, "text that is not UTF-8");
      }
    }
    return text;
  }

  /// Its own array where that has nothing else in it, and no copy.
  static byte[] bytes(ByteBuf content) {
    boolean whole =
        content.hasArray()
            && content.arrayOffset() == 0
            && content.readerIndex() == 0
            && content.readableBytes() == content.array().length;
    return whole ? content.array() : ByteBufUtil.getBytes(content);
  }
}
