// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.Operation;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.wire.FileSource;
import dev.couv.wire.FileWriting;
import dev.couv.wire.NativeStream;
import dev.couv.world.FileSend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A part of a file on its way to a stream: inside the kernel if that is a socket, else through this
/// process.
///
/// Ownership: the socket's number is a copy that the stream closes when this has returned. Whoever is cancelled, or closes
/// one of the two, waits until no thread is inside a call, so what had been sent then is known. Only a loop that must end at
/// once does not wait: then the thread gives both numbers back.
final class FileSending implements FileSource {
  /// What one call moves at most: a cancellation waits for it.
  private static final long SENT_AT_ONCE = 4 << 20;

  /// What goes the ordinary way while the socket is full.
  private static final int PIECE = 1 << 14;

  private final HeldFile file;
  private final FileBytes bytes;
  private final ByteStream target;
  private final LongConsumer told;
  private long offset;
  private long left;
  private long sent;

  /// Whether the kernel can do it, of this file.
  private boolean inside;

  /// Whether a thread was left inside the call.
  private boolean kept;

  FileSending(
      HeldFile file,
      FileBytes bytes,
      ByteStream target,
      long offset,
      long length,
      LongConsumer told) {
    this.file = file;
    this.bytes = bytes;
    this.target = target;
    this.offset = offset;
    this.left = length;
    this.told = told;
    this.inside = file.handle().isSendable();
  }

  /// How much there was.
  long send() throws IOException {
    if (target instanceof NativeStream stream) {
      FileWriting.writeFrom(stream, this);
    } else {
      sendThrough();
    }
    return sent;
  }

  private void sendThrough() throws IOException {
    for (ByteBuffer piece; (piece = piece()) != null; ) {
      try {
        target.write(piece);
      } finally {
        taken(piece.position());
      }
    }
  }

  @Override
  public long send(int socket) throws IOException {
    if (!inside || left == 0) {
      return inside ? 0 : FULL;
    }
    Suspension.pass("sendTo");
    file.checkUsable();
    FileSend call = file.handle().send(socket, target, offset, Math.min(left, SENT_AT_ONCE));
    long count;
    try {
      count = file.make(Way.AWAITED, call);
    } finally {
      kept = call.keepsSocket();
      taken(call.sent());
    }
    file.checkStillOpen();
    if (count == FileSend.UNABLE) {
      inside = false;
    }
    return count < 0 ? FULL : count;
  }

  @Override
  public boolean keepsSocket() {
    return kept;
  }

  @Override
  public @Nullable ByteBuffer piece() throws IOException {
    if (left == 0) {
      return null;
    }
    file.checkUsable();
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(left, PIECE));
    return bytes.read(Way.AWAITED, piece, offset) < 0 ? null : piece.flip();
  }

  @Override
  public void taken(long count) {
    if (count > 0) {
      offset += count;
      left -= count;
      sent += count;
      told.accept(sent);
    }
  }

  @Override
  public void await(Operation room) throws IOException {
    file.awaitElsewhere(room);
  }
}
