// SPDX-License-Identifier: Apache-2.0
package dev.couv.wire;

import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Writing a file's bytes to a stream inside the kernel.
public final class FileWriting {
  private FileWriting() {}

  /// Writes all of a file's bytes, inside the kernel as far as the socket takes them at once. While it is
  /// full, a piece is queued in the ordinary way: that it is written tells that there is room again.
  public static void writeFrom(NativeStream to, FileSource source) throws IOException {
    to.takeTurn(source::await);
    try {
      writeInTurn(to, source);
    } finally {
      to.passTurn();
    }
  }

  private static void writeInTurn(NativeStream to, FileSource source) throws IOException {
    StreamHandle handle = to.handle();
    // The worker thread that sends must not meet another file under the socket's number.
    int socket = handle.duplicate();
    try {
      boolean ended = false;
      while (!ended) {
        boolean direct = socket >= 0 && handle.pending() == 0;
        long count = direct ? source.send(socket) : FileSource.FULL;
        to.checkStillOpen();
        ended = count == 0 || (count == FileSource.FULL && !writePiece(to, source));
      }
    } finally {
      if (socket >= 0 && !source.keepsSocket()) {
        handle.release(socket);
      }
    }
  }

  /// False at the end.
  private static boolean writePiece(NativeStream to, FileSource source) throws IOException {
    ByteBuffer piece = source.piece();
    if (piece == null) {
      return false;
    }
    try {
      to.writeInTurn(source::await, piece);
    } finally {
      source.taken(piece.position());
    }
    return true;
  }
}
