// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Memory of ours in the hands of a user, until it is closed: whatever he has kept of the buffer then, he can reach nothing
/// by it. Nor can anybody but the coroutine that has made the loan.
///
/// Bytes on the heap are lent as they are: nobody uses their memory again.
public final class Loan implements AutoCloseable {
  private final @Nullable Arena arena;
  private final ByteBuffer bytes;

  /// Of what is between the buffer's position and its limit.
  public Loan(ByteBuffer of) {
    if (of.isDirect()) {
      arena = Arena.ofConfined();
      bytes = Memory.view(Memory.address(of) + of.position(), of.remaining(), arena);
    } else {
      arena = null;
      bytes = of.slice();
    }
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
    if (arena != null) {
      arena.close();
    }
  }
}
