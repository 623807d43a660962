// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/// Bytes in the hands of a user, until it is closed: whatever he has kept of the buffer then, he can reach nothing by it. Nor can anybody
/// but the coroutine that has made the loan.
///
/// Native memory is lent as it is. Bytes on the heap, which a stream has of a read that was left, cannot be taken back from anybody: they are
/// copied.
public final class Loan implements AutoCloseable {
  private final Arena arena;
  private final ByteBuffer bytes;

  /// Of what is between the buffer's position and its limit.
  public Loan(ByteBuffer of) {
    arena = Arena.ofConfined();
    ByteBuffer lent = null;
    try {
      lent =
          of.isDirect()
              ? Memory.view(Memory.address(of) + of.position(), of.remaining(), arena)
              : arena.allocate(of.remaining()).asByteBuffer().put(of.duplicate()).flip();
    } finally {
      if (lent == null) {
        arena.close(); // its memory is no garbage
      }
    }
    bytes = lent;
  }

  /// What is lent.
  public ByteBuffer bytes() {
    return bytes;
  }

  /// How many bytes the user has taken, going by the buffer's position.
  public int used() {
    return bytes.position();
  }

  @Override
  public void close() {
    arena.close();
  }
}
