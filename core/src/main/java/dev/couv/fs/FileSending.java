// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.error.UvException;
import dev.couv.stream.ByteStream;
import dev.couv.stream.FileSource;
import dev.couv.stream.NativeStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A part of a file on its way to a stream: inside the kernel if that is a socket, else through this
/// process.
final class FileSending implements FileSource {
  /// What one request moves at most: a cancellation waits for it.
  private static final long SENT_AT_ONCE = 4 << 20;

  /// What goes the ordinary way while the socket is full.
  private static final int PIECE = 1 << 14;

  private final OpenFile file;
  private long offset;
  private long left;

  private FileSending(OpenFile file, long offset, long length) {
    this.file = file;
    this.offset = offset;
    this.left = length;
  }

  static long send(OpenFile file, ByteStream target, long offset, long length) throws IOException {
    FileSending sending = new FileSending(file, offset, length);
    if (target instanceof NativeStream stream) {
      return stream.writeFrom(sending);
    }
    long sent = 0;
    for (ByteBuffer piece; (piece = sending.piece()) != null; ) {
      sent += piece.remaining();
      target.write(piece);
    }
    return sent;
  }

  @Override
  public long send(int socket) throws IOException {
    if (!file.isRegular()) {
      return FULL; // a call that may last for ever must not have the socket
    }
    long count;
    try {
      count =
          file.make(
              FileCalls.sendfile(
                  socket,
                  file.descriptor(),
                  file.toString(),
                  offset,
                  Math.min(left, SENT_AT_ONCE)));
    } catch (UvException e) {
      if (e.code().equals("EAGAIN")) {
        return FULL;
      }
      throw e;
    }
    moved(count);
    return count;
  }

  @Override
  public @Nullable ByteBuffer piece() throws IOException {
    if (left == 0) {
      return null;
    }
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(left, PIECE));
    int count = file.read(piece, offset);
    if (count < 0) {
      return null;
    }
    moved(count);
    return piece.flip();
  }

  private void moved(long count) {
    offset += count;
    left -= count;
  }
}
