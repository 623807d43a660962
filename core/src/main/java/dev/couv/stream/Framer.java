// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A protocol's frames: how one is taken out of bytes, and how one becomes bytes. A protocol is one class.
///
/// ```java
/// record Message(int id, String text) {}
///
/// final class Messages implements Framer<Message> {
///   public Message decode(ByteReader in) throws IOException {
///     return new Message(in.readInt(), in.readText(in.readUnsignedShort()));
///   }
///
///   public void encode(Message message, ByteWriter out) throws IOException {
///     byte[] text = message.text().getBytes(UTF_8);
///     out.writeInt(message.id());
///     out.writeShort(text.length);
///     out.write(text);
///   }
/// }
/// ```
///
/// A frame is read and written as a whole: whoever is cancelled in the middle of one, or fails, has taken nothing, or
/// written nothing, and can try again. So it need not be able to go on in the middle, and straight-line code does.
///
/// @param <F> what a frame is in the program
public interface Framer<F> {
  /// Reads one frame, and waits for its bytes where they are not there yet. There is at least one byte.
  ///
  /// @throws java.net.ProtocolException if it is none
  F decode(ByteReader in) throws IOException;

  /// Writes one frame. Does not wait: what it writes is held until it is whole.
  void encode(F frame, ByteWriter out) throws IOException;

  /// Frames that begin with their length, a number of one, two, three, four or eight bytes without a sign.
  static Framer<byte[]> lengthPrefixed(int lengthBytes) {
    LengthPrefix.check(lengthBytes);
    return new Framer<>() {
      @Override
      public byte[] decode(ByteReader in) throws IOException {
        return in.readFrame(lengthBytes);
      }

      @Override
      public void encode(byte[] frame, ByteWriter out) throws IOException {
        out.writeFrame(lengthBytes, frame);
      }
    };
  }

  /// Frames that end with those bytes, and do not have them inside: one that has is refused.
  static Framer<byte[]> delimited(byte... delimiter) {
    byte[] end = ByteReader.checkDelimiter(delimiter).clone();
    return new Framer<>() {
      @Override
      public byte[] decode(ByteReader in) throws IOException {
        return orEnded(in.readUntil(end), in);
      }

      @Override
      public void encode(byte[] frame, ByteWriter out) throws IOException {
        if (endsEarly(frame, end)) {
          throw new IllegalArgumentException("a frame with its delimiter in it");
        }
        out.write(frame);
        out.write(end);
      }
    };
  }

  /// Whether who reads the frame and its delimiter finds that before the frame is over.
  private static boolean endsEarly(byte[] frame, byte... end) {
    for (int i = 0; i < frame.length; i++) {
      int inFrame = Math.min(end.length, frame.length - i);
      boolean begins = Arrays.equals(frame, i, i + inFrame, end, 0, inFrame);
      if (begins && Arrays.equals(end, inFrame, end.length, end, 0, end.length - inFrame)) {
        return true;
      }
    }
    return false;
  }

  /// There was a byte when the frame began: but who reads a frame inside of another may come to the end.
  private static <T> T orEnded(@Nullable T read, ByteReader in) throws EOFException {
    if (read == null) {
      throw new EOFException(in + " has ended before a frame");
    }
    return read;
  }

  /// Lines of UTF-8 text, without what ends them. One that has the end of a line in it, or `\r` as its last character, is refused.
  static Framer<String> lines() {
    return new Framer<>() {
      @Override
      public String decode(ByteReader in) throws IOException {
        return orEnded(in.readLine(), in);
      }

      @Override
      public void encode(String line, ByteWriter out) throws IOException {
        if (line.indexOf('\n') >= 0 || line.endsWith("\r")) {
          throw new IllegalArgumentException("a line with the end of a line in it");
        }
        out.write(line.getBytes(StandardCharsets.UTF_8));
        out.writeByte('\n');
      }
    };
  }
}
