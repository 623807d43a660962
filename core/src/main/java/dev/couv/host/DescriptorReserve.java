// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.Scratch;
import dev.couv.loop.Transition;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixDescriptor;
import dev.couv.uv.UvPipe;

/// Whether a listener may take more connections: the last descriptors of the process are not for
/// them, because libuv, the VM and the program need some, too.
///
/// The system gives the lowest number that is free. So the number of a connection tells whether the
/// table is nearly full, for no system call; whether it has become emptier is asked by copying a
/// descriptor.
///
/// ```
///          a connection gets a number of the reserve             a connection cannot be taken
///   ENOUGH ────────────────────────────────────────▶ LOW ───────────────────────────────────▶ TOLD
///     ▲      a connection gets a lower one            │                                         │
///     └───────────────────────────────────────────────┴─────────────────────────────────────────┘
/// ```
final class DescriptorReserve {
  private static final int RESERVE = 64;

  @CheckReturnValue
  private enum State {
    /// Connections are taken.
    ENOUGH,
    /// None is taken before others have been closed.
    LOW,
    /// And who accepts has heard of it.
    TOLD;

    State low() {
      return Transition.require(this, this == ENOUGH, "low", LOW);
    }

    State tell() {
      return Transition.require(this, this == LOW, "tell", TOLD);
    }

    State recover() {
      return Transition.require(this, this != ENOUGH, "recover", ENOUGH);
    }
  }

  /// Numbers from here on are the reserve.
  private final int limit;

  private State state = State.ENOUGH;

  /// Descriptors of our own, to be given up in need; -1 for none.
  private final int[] spare = {-1, -1};

  /// That of this process, by the limit that is in force now.
  DescriptorReserve(Scratch scratch) {
    this.limit = limit(scratch);
  }

  private static int limit(Scratch scratch) {
    long room = scratch.argumentsAddress();
    if (PosixDescriptor.RLIMIT_NOFILE < 0
        || PosixDescriptor.getrlimit(PosixDescriptor.RLIMIT_NOFILE, room) < 0) {
      return Integer.MAX_VALUE;
    }
    long most = Memory.getLong(room);
    if (most < 0 || most > Integer.MAX_VALUE) { // unlimited
      most = Integer.MAX_VALUE;
    }
    return (int) (most - Math.min(RESERVE, most / 16));
  }

  /// Whether a connection that was taken has a descriptor of the reserve.
  boolean lent(Scratch scratch, long handle) {
    boolean lent = SocketCalls.descriptor(scratch, handle) >= limit;
    if (lent) {
      low();
    } else if (state != State.ENOUGH) {
      state = state.recover();
      openSpare(scratch);
    }
    return lent;
  }

  private void low() {
    if (state == State.ENOUGH) {
      state = state.low();
    }
  }

  /// The system itself said that there are none, to libuv, which then tries again without end: gives
  /// up a descriptor, so that it gets one connection, and stops when nobody takes that.
  void exhausted() {
    low();
    closeSpare();
  }

  /// Takes the spare descriptors, until it is closed.
  void openSpare(Scratch scratch) {
    long room = scratch.argumentsAddress();
    if (spare[0] < 0 && UvPipe.uv_pipe(room, 0, 0) >= 0) {
      spare[0] = Memory.getInt(room);
      spare[1] = Memory.getInt(room + Integer.BYTES);
    }
  }

  void closeSpare() {
    for (int i = 0; i < spare.length; i++) {
      if (spare[i] >= 0) {
        Posix.close(spare[i]);
        spare[i] = -1;
      }
    }
  }

  /// Whether no connection may be taken now. `listener` is any open handle.
  boolean isShort(Scratch scratch, long listener) {
    if (state == State.ENOUGH) {
      return false;
    }
    int copy = copy(SocketCalls.descriptor(scratch, listener));
    if (copy >= 0) {
      Posix.close(copy);
    }
    return copy < 0;
  }

  /// A copy of the descriptor that is not of the reserve, or a negative number if there is none.
  int copy(int descriptor) {
    int copy = Posix.dup(descriptor);
    if (copy < limit) {
      return copy;
    }
    Posix.close(copy);
    return -1;
  }

  /// Whether who accepts has to hear of it; once.
  boolean tell() {
    boolean untold = state == State.LOW;
    if (untold) {
      state = state.tell();
    }
    return untold;
  }
}
