// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

import dev.couv.info.Info;
import dev.couv.stream.ByteReader;
import dev.couv.stream.ByteWriter;
import dev.couv.stream.Framer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// Puts frames together.
///
/// A message is compressed when its turn to be written has come, and not before: the next one may refer to it, so they have
/// to be compressed in the order they are sent.
final class FrameWriter implements Framer<FrameWriter.Frame> {
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  /// What is smaller is not worth it.
  private static final int WORTH_COMPRESSING = 256;

  private static final int FINAL = 0x80;
  private static final int COMPRESSED = 0x40;
  private static final int MASKED = 0x80;

  private final boolean masks;
  private final @Nullable Deflate deflate;
  private final Link link;

  private byte[] masksLeft = {};
  private int nextMask;

  /// @param masks whether this side is the client
  FrameWriter(boolean masks, @Nullable Deflate deflate, Link link) {
    this.masks = masks;
    this.deflate = deflate;
    this.link = link;
  }

  /// A whole message, or one of the frames between messages.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Frame(int kind, byte[] payload) {
    boolean isMessage() {
      return kind <= BINARY;
    }
  }

  @Override
  public Frame decode(ByteReader in) {
    throw new UnsupportedOperationException("frames are read by Netty's decoder");
  }

  @Override
  public void encode(Frame frame, ByteWriter out) throws IOException {
    if (!link.maySend(frame)) {
      throw new ClosedChannelException();
    }
    byte[] payload = frame.payload();
    int first = FINAL | frame.kind();
    int length = payload.length;
    Deflate deflating = deflate;
    if (deflating == null || !frame.isMessage() || length < WORTH_COMPRESSING) {
      write(first, payload, length, false, out);
      return;
    }
    Deflate.Compressed smaller = deflating.deflate(payload);
    try {
      write(first | COMPRESSED, smaller.bytes(), smaller.size(), true, out);
    } catch (Throwable failed) {
      deflating.forget();
      throw failed;
    }
  }

  /// The frame was put together, and is not sent.
  void forget(Frame frame) {
    Deflate deflating = deflate;
    if (deflating != null && frame.isMessage()) {
      deflating.forget();
    }
  }

  private void write(int first, byte[] payload, int length, boolean own, ByteWriter out)
      throws IOException {
    int mask = masks ? MASKED : 0;
    out.writeByte(first);
    if (length < 126) {
      out.writeByte(mask | length);
    } else if (length < 1 << 16) {
      out.writeByte(mask | 126);
      out.writeShort(length);
    } else {
      out.writeByte(mask | 127);
      out.writeLong(length);
    }
    if (masks) {
      int key = nextMask();
      out.writeInt(key);
      byte[] masked = own ? payload : payload.clone();
      for (int i = 0; i < length; i++) {
        masked[i] ^= (byte) (key >>> (24 - 8 * (i & 3)));
      }
      out.write(masked, 0, length);
    } else {
      out.write(payload, 0, length);
    }
  }

  /// Masks must not be foreseen by who chooses what is sent (RFC 6455, 10.3). Drawn a few at a time, because each draw asks the
  /// system.
  private int nextMask() throws IOException {
    if (nextMask == masksLeft.length) {
      masksLeft = new byte[64];
      Info.randomNow(ByteBuffer.wrap(masksLeft));
      nextMask = 0;
    }
    int key = 0;
    for (int i = 0; i < 4; i++) {
      key = (key << 8) | (masksLeft[nextMask++] & 0xff);
    }
    return key;
  }
}
