// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.Operation;
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
/// Ownership: the number of the socket that another thread has is a copy that the stream closes when this has returned. Whoever is cancelled, or closes
/// one of the two, waits until no thread is inside a call, so what had been sent then is known. Only a loop that must end at
/// once does not wait: then the thread gives both numbers back.
final class FileSending implements FileSource {
  /// What one call moves at most: a cancellation waits for it.
  private static final long SENT_ELSEWHERE = 4 << 20;

  /// What the loop's thread moves at most before the others have their turns: a tenth of a millisecond or so.
  private static final long SENT_AT_ONCE = 1 << 20;

  /// What goes the ordinary way while the socket is full.
  private static final int PIECE = 1 << 14;

  private final HeldFile file;
  private final FileBytes bytes;
  private final ByteStream target;
  private final LongConsumer told;
  private final ByteBuffer head;
  private long offset;
  private long left;
  private long sent;

  /// Whether the kernel can do it, of this file.
  private boolean inside;

  /// Whether the socket has just shown that it is full, by taking less than there was.
  private boolean full;

  /// Whether the next piece was just seen in the system's memory.
  private boolean seen;

  /// Whether a thread was left inside the call.
  private boolean kept;

  FileSending(
      HeldFile file,
      FileBytes bytes,
      ByteStream target,
      ByteBuffer head,
      long offset,
      long length,
      LongConsumer told) {
    this.file = file;
    this.bytes = bytes;
    this.target = target;
    this.head = head;
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
    if (head.hasRemaining()) {
      target.write(head);
    }
    for (ByteBuffer piece; (piece = piece()) != null; ) {
      try {
        target.write(piece);
      } finally {
        taken(piece.position());
      }
    }
  }

  @Override
  public ByteBuffer head() {
    return head;
  }

  @Override
  public boolean isAtHand() throws IOException {
    file.checkUsable();
    if (!inside || full || left == 0) {
      return inside;
    }
    if (!seen) {
      seen = isAtHand(SENT_AT_ONCE);
    }
    return seen;
  }

  @Override
  public boolean isFollowed() throws IOException {
    return left > 0 && isAtHand() && bytes.read(Way.NOW, ByteBuffer.allocate(1), offset) > 0;
  }

  private boolean isAtHand(long most) {
    return file.handle().isAtHand(offset, Math.min(left, most));
  }

  @Override
  public long sendNow(int socket) throws IOException {
    if (full || left == 0) {
      long answer = full ? FULL : 0;
      full = false;
      return answer;
    }
    seen = false;
    long most = Math.min(left, SENT_AT_ONCE);
    long count = file.make(Way.NOW, file.handle().send(socket, target, offset, most));
    taken(count);
    full = count > 0 && count < most;
    return toldOf(count);
  }

  @Override
  public long send(int socket) throws IOException {
    if (!inside || left == 0) {
      return inside ? 0 : FULL;
    }
    file.checkUsable();
    FileSend call = file.handle().send(socket, target, offset, Math.min(left, SENT_ELSEWHERE));
    long count;
    try {
      count = file.make(Way.AWAITED, call);
    } finally {
      kept = call.keepsSocket();
      taken(call.sent());
    }
    file.checkStillOpen();
    return toldOf(count);
  }

  private long toldOf(long count) {
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
    Way way = isAtHand(PIECE) ? Way.NOW : Way.AWAITED;
    return bytes.read(way, piece, offset) < 0 ? null : piece.flip();
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
