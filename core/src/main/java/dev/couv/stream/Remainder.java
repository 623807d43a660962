// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.Loan;
import dev.couv.wire.KeepsNothing;
import dev.couv.wire.NativeStream;
import dev.couv.wire.Transfers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is left of a stream, up to a limit: passed on, or taken as a whole. Whoever leaves early loses
/// nothing: what was read and did not get where it should goes back to the stream.
final class Remainder {
  private Remainder() {}

  /// Passes on until the end, or the limit. How many bytes that was.
  static long copy(ByteStream from, ByteStream to, long limit) throws IOException {
    checkLimit(limit);
    NativeStream shared = to instanceof KeepsNothing ? ours(from) : null;
    Borrower<IOException> target = to::write;
    long copied = 0;
    for (int count; copied < limit; copied += count) {
      count = use(from, shared, limit - copied, target);
      if (count < 0) {
        break;
      }
    }
    return copied;
  }

  /// Has the body use what comes next. False at the end.
  static <E extends Exception> boolean borrow(ByteStream from, Borrower<E> body)
      throws IOException, E {
    NativeStream shared = ours(from);
    // What a stream that is not ours brings is its own affair, and that of its user.
    Borrower<E> user = shared == null ? bytes -> show(bytes, body) : bytes -> lend(bytes, body);
    return use(from, shared, Long.MAX_VALUE, user) >= 0;
  }

  private static @Nullable NativeStream ours(ByteStream stream) {
    return stream instanceof NativeStream ours ? ours : null;
  }

  /// Has what comes next used, but no more than `most`: how many bytes were, -1 at the end. In a buffer that the loop's streams share, if it is
  /// told which stream of ours that is.
  private static <E extends Exception> int use(
      ByteStream from, @Nullable NativeStream shared, long most, Borrower<E> body)
      throws IOException, E {
    if (shared == null) {
      ByteBuffer bytes = from.read();
      return bytes == null ? -1 : use(from, bytes, most, body);
    }
    ByteBuffer bytes = Transfers.read(shared);
    try {
      return bytes == null ? -1 : use(from, bytes, most, body);
    } finally {
      Transfers.done(shared, bytes);
    }
  }

  private static <E extends Exception> int use(
      ByteStream from, ByteBuffer bytes, long most, Borrower<E> body) throws IOException, E {
    int begin = bytes.position();
    int end = bytes.limit();
    try {
      bytes.limit(begin + (int) Math.min(end - begin, most));
      body.use(bytes);
    } catch (Throwable failed) {
      putBack(from, bytes.limit(end), failed);
      throw failed;
    }
    int used = bytes.position() - begin;
    putBack(from, bytes.limit(end));
    return used;
  }

  /// Only what has come: whoever rewinds his buffer must not get to what stands before it there.
  private static <E extends Exception> void show(ByteBuffer bytes, Borrower<E> body)
      throws IOException, E {
    int begin = bytes.position();
    ByteBuffer shown = bytes.slice();
    try {
      body.use(shown);
    } finally {
      bytes.position(begin + shown.position());
    }
  }

  private static <E extends Exception> void lend(ByteBuffer bytes, Borrower<E> body)
      throws IOException, E {
    int begin = bytes.position();
    try (Loan loan = new Loan(bytes)) {
      try {
        body.use(loan.bytes());
      } finally {
        bytes.position(begin + loan.used());
      }
    }
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
        putBack(from, piece, failed);
      }
      throw failed;
    }
  }

  /// What has failed is told, whatever else does.
  private static void putBack(ByteStream stream, ByteBuffer bytes, Throwable failed) {
    try {
      putBack(stream, bytes);
    } catch (Throwable alsoFailed) {
      if (alsoFailed != failed) {
        failed.addSuppressed(alsoFailed);
      }
    }
  }

  /// Where there is no memory for it the stream is closed: nobody must read on behind a hole.
  private static void putBack(ByteStream stream, ByteBuffer bytes) throws IOException {
    if (!bytes.hasRemaining() || !stream.isOpen()) {
      return;
    }
    boolean back = false;
    try {
      stream.unread(bytes);
      back = true;
    } finally {
      if (!back) {
        stream.close();
      }
    }
  }

  private static void checkLimit(long limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("negative limit: " + limit);
    }
  }
}
