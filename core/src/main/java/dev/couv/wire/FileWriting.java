// SPDX-License-Identifier: Apache-2.0
package dev.couv.wire;

import dev.couv.coro.Coroutine;
import dev.couv.strand.Suspension;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Writing a file's bytes to a stream inside the kernel.
///
/// ## Which thread
///
/// Bytes that are in the system's memory are moved by the loop's own thread, a piece in each of its turns. For others a thread waits, which has a
/// copy of the socket's number: it must not meet another file under it.
public final class FileWriting {
  private static final int NONE = -1;

  private final NativeStream to;
  private final StreamHandle handle;
  private final FileSource source;

  /// The number that another thread has; [#NONE] while none was needed.
  private int copy = NONE;

  /// Whether the loop's thread has moved a piece in this turn.
  private boolean moved;

  private FileWriting(NativeStream to, FileSource source) {
    this.to = to;
    this.handle = to.handle();
    this.source = source;
  }

  /// Writes all of a file's bytes, inside the kernel as far as the socket takes them at once. While it is
  /// full, a piece is queued in the ordinary way: that it is written tells that there is room again.
  public static void writeFrom(NativeStream to, FileSource source) throws IOException {
    to.takeTurn(source::await);
    try {
      new FileWriting(to, source).writeInTurn();
    } finally {
      to.passTurn();
    }
  }

  private void writeInTurn() throws IOException {
    try {
      writeHead();
      boolean ended = false;
      while (!ended) {
        pass();
        long count = handle.pending() == 0 ? send() : FileSource.FULL;
        to.checkStillOpen();
        ended = count == 0 || (count == FileSource.FULL && !writePiece());
      }
    } finally {
      if (copy >= 0 && !source.keepsSocket()) {
        handle.release(copy);
      }
    }
  }

  /// In the packets of what follows, if that is at hand.
  private void writeHead() throws IOException {
    ByteBuffer head = source.head();
    if (!head.hasRemaining()) {
      return;
    }
    pass();
    if (handle.pending() == 0 && source.isFollowed()) { // else the system would wait for more
      handle.writeNowWithMore(head);
    }
    if (head.hasRemaining()) {
      to.writeInTurn(source::await, head);
    }
  }

  /// Nobody gets between this and a call that has the stream's own number.
  private void pass() throws IOException {
    if (moved) {
      moved = false;
      Coroutine.pause();
    } else {
      Suspension.pass("sendTo");
    }
    to.checkStillOpen();
  }

  private long send() throws IOException {
    try {
      return sendPiece();
    } catch (IOException failed) {
      handle.writeFailed(failed);
      throw failed;
    }
  }

  private long sendPiece() throws IOException {
    int number = handle.number();
    if (number >= 0 && source.isAtHand()) {
      moved = true;
      return source.sendNow(number);
    }
    if (copy < 0) {
      copy = handle.duplicate();
    }
    return copy < 0 ? FileSource.FULL : source.send(copy);
  }

  /// False at the end.
  private boolean writePiece() throws IOException {
    ByteBuffer piece = source.piece();
    if (piece == null) {
      return false;
    }
    moved = false;
    try {
      to.writeInTurn(source::await, piece);
    } finally {
      source.taken(piece.position());
    }
    return true;
  }
}
