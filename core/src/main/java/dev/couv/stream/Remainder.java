// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.wire.NativeStream;
import dev.couv.wire.Transfers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// What is left of a stream, up to a limit: passed on, or taken as a whole. Whoever leaves early loses
/// nothing: what was read and did not get where it should goes back to the stream.
final class Remainder {
  private Remainder() {}

  /// Passes on until the end, or the limit. How many bytes that was.
  static long copy(ByteStream from, ByteStream to, long limit) throws IOException {
    checkLimit(limit);
    NativeStream source = from instanceof NativeStream stream ? stream : null;
    long copied = 0;
    while (copied < limit) {
      ByteBuffer bytes = source == null ? from.read() : Transfers.read(source);
      if (bytes == null) {
        break;
      }
      int end = bytes.limit();
      int count = (int) Math.min(bytes.remaining(), limit - copied);
      try {
        to.write(bytes.limit(bytes.position() + count));
        copied += count;
      } finally {
        bytes.limit(end);
        putBack(from, bytes);
        if (source != null) {
          Transfers.done(source, bytes);
        }
      }
    }
    return copied;
  }

  /// All of it, if that is not more than the limit.
  static byte[] all(ByteStream from, long limit) throws IOException {
    checkLimit(limit);
    List<ByteBuffer> pieces = new ArrayList<>();
    try {
      long most = Math.min(limit, HeldBytes.LONGEST);
      long length = 0;
      for (ByteBuffer piece; (piece = from.read()) != null; ) {
        pieces.add(piece);
        length += piece.remaining();
        if (length > most) {
          throw new IOException(from + ": more than " + most + " bytes");
        }
      }
      byte[] all = new byte[(int) length];
      ByteBuffer into = ByteBuffer.wrap(all);
      pieces.forEach(piece -> into.put(piece.duplicate()));
      return all;
    } catch (Throwable failed) {
      for (ByteBuffer piece : pieces.reversed()) {
        putBack(from, piece);
      }
      throw failed;
    }
  }

  private static void putBack(ByteStream stream, ByteBuffer bytes) throws IOException {
    if (bytes.hasRemaining() && stream.isOpen()) {
      stream.unread(bytes);
    }
  }

  private static void checkLimit(long limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("negative limit: " + limit);
    }
  }
}
