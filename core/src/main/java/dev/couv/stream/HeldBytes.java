// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.error.BusyException;
import dev.couv.loop.Caller;
import dev.couv.strand.Scheduler;
import dev.couv.strand.Strand;
import dev.couv.strand.Suspension;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// What was read from a stream and not taken yet, in one array, and what was taken since a [#mark] that may be gone
/// back to.
///
/// ## Memory
///
/// Small pieces are read into an array that stays, so that they cost none. Who has got large ones is given the array
/// that the stream made for what came, so that nothing is copied, and holds none while nothing is here: a thousand idle
/// connections are a thousand small arrays at most.
final class HeldBytes {
  /// An array of no more than this stays while it is empty.
  private static final int KEPT = 1 << 10;

  private static final int FIRST = 1 << 8;
  private static final int LARGEST_READ = 1 << 16;

  /// The longest array that every VM makes.
  static final int LONGEST = Integer.MAX_VALUE - 8;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final ByteSource stream;

  /// Always on the heap. From `start` to `end` it has what was not taken; its own position says nothing.
  private ByteBuffer held = NOTHING;

  private int start;
  private int end;

  /// Bytes before `start` that were taken since the mark.
  private int taken;

  private int marks;

  /// There is no byte of this value between `start` and `searched`.
  private byte wanted;

  private int searched;

  /// How many bytes a read is expected to bring.
  private int expected = FIRST;

  private ByteOrder order = ByteOrder.BIG_ENDIAN;

  /// Who waits for bytes, or is in the middle of a frame: they are his.
  private @Nullable Object user;

  /// The thread of who is in the middle of a frame. A coroutine has its own, and to know it is quicker than to know the coroutine.
  private @Nullable Thread framing;

  /// The loop of the first who has read.
  private @Nullable Scheduler home;

  HeldBytes(ByteSource stream) {
    this.stream = stream;
  }

  void order(ByteOrder newOrder) {
    order = newOrder;
    held = held.duplicate().order(newOrder);
  }

  int size() {
    return end - start;
  }

  /// Whether what is taken may be gone back to.
  boolean isMarked() {
    return marks > 0;
  }

  /// What has been taken since the first mark.
  int taken() {
    return taken;
  }

  // ---- looking

  /// To be asked at `first() + n`.
  ByteBuffer bytes() {
    return held;
  }

  int first() {
    return start;
  }

  /// All that is here, to be looked at.
  ByteBuffer view() {
    return held.asReadOnlyBuffer().order(order).limit(end).position(start);
  }

  byte[] array() {
    return held.array();
  }

  /// Where the first is in the [#array].
  int offset() {
    return held.arrayOffset() + start;
  }

  /// How many bytes are before the first of that value; -1 if it is not here.
  int indexOf(byte value) {
    byte[] array = held.array();
    int shift = held.arrayOffset();
    int from = value == wanted ? Math.max(start, searched) : start;
    for (int i = shift + from; i < shift + end; i++) {
      if (array[i] == value) {
        return i - shift - start;
      }
    }
    wanted = value;
    searched = end;
    return -1;
  }

  // ---- taking

  /// Throws unless the caller may read now; outside of a frame it counts as an await that was ready. For the beginning of whatever is read:
  /// others may run here, but not read.
  void check() {
    if (who() instanceof Strand current && user != current) {
      user = current;
      try {
        current.suspending().pass();
      } finally {
        user = null;
      }
    }
  }

  /// Throws unless the caller may read now. Who it is: a coroutine of the loop that has read before, or, where the source is one that blocks, a
  /// thread.
  private Object who() {
    Object framed = user;
    if (framed != null && framing == Thread.currentThread()) {
      return framed;
    }
    if (!Suspension.isInCoroutine()) {
      if (home != null) {
        throw Caller.foreign(this);
      }
      return checkUser(Thread.currentThread());
    }
    Strand current = Strand.current("read");
    if (home == null) {
      home = current.scheduler();
    } else if (home != current.scheduler()) {
      throw Caller.foreign(this);
    }
    return checkUser(current);
  }

  private Object checkUser(Object current) {
    if (user != null && user != current) {
      throw new BusyException(stream + ": another coroutine is already reading it");
    }
    return current;
  }

  /// Takes so many that are here: the buffer stands at the first of them, and they stay there until more is read.
  ByteBuffer next(int count) {
    ByteBuffer bytes = held.clear().position(start);
    take(count);
    return bytes;
  }

  void take(int count) {
    start += count;
    if (marks > 0) {
      taken += count;
    } else if (start == end) {
      clear();
    }
  }

  /// Nothing is forgotten from here on, until [#unmark] or [#rewind] is called as often. What to rewind to.
  int mark() {
    user = who();
    if (marks++ == 0) {
      framing = Thread.currentThread();
    }
    return taken;
  }

  void unmark() {
    marks--;
    if (marks == 0) {
      user = null;
      framing = null;
      taken = 0;
      if (start == end) {
        clear();
      }
    }
  }

  /// Nothing was taken since that mark.
  void rewind(int mark) {
    start -= taken - mark;
    searched = start;
    taken = mark;
    unmark();
  }

  private void clear() {
    start = 0;
    end = 0;
    searched = 0;
    if (held.capacity() > KEPT) {
      held = NOTHING;
    }
  }

  // ---- reading

  /// Waits until so many are here; false if the stream ends before.
  boolean await(int count) throws IOException {
    while (size() < count) {
      if (!fill(count)) {
        return false;
      }
    }
    return true;
  }

  /// Waits for more; false at the end of the stream. `atLeast` bytes are to be here in the end, as far as that is
  /// known. Who leaves early has lost nothing. Nobody else takes anything meanwhile: who has seen what is here may rely on it.
  boolean fill(int atLeast) throws IOException {
    Object outer = user;
    user = who();
    try {
      boolean large = size() == 0 && marks == 0 && expected > KEPT;
      return large ? replace() : append(atLeast);
    } finally {
      user = outer;
    }
  }

  private boolean append(int atLeast) throws IOException {
    // What is only announced takes no memory: that grows with what has come.
    int most = Math.max(size() + taken, Math.max(expected, KEPT));
    makeRoom(Math.clamp((long) atLeast - size(), 1, most));
    ByteBuffer room = held.clear().position(end);
    int count = stream.read(room);
    if (count < 0) {
      return false;
    }
    end += count;
    if (end == held.capacity()) {
      expected = (int) Math.min(2L * Math.max(expected, count), LARGEST_READ);
    }
    return true;
  }

  private boolean replace() throws IOException {
    ByteBuffer more = stream.read();
    if (more == null) {
      return false;
    }
    int count = more.remaining();
    held = more.hasArray() ? more : ByteBuffer.allocate(count).put(more).flip();
    held.order(order);
    start = held.position();
    searched = start;
    end = held.limit();
    expected = Math.max((expected + count) / 2, FIRST);
    return true;
  }

  /// There are so many free bytes behind those that are held, perhaps in another array.
  private void makeRoom(int least) {
    int kept = size() + taken;
    boolean vast = held.capacity() > LARGEST_READ && held.capacity() / 4 > kept + least;
    if (!vast && held.capacity() - end >= least) {
      return;
    }
    ByteBuffer larger = held;
    if (vast || held.capacity() - kept < Math.max(least, kept)) {
      long size = Math.max(kept + (long) Math.max(least, Math.min(expected, KEPT)), 2L * kept);
      larger = ByteBuffer.allocate((int) Math.min(size, LONGEST)).order(order);
    }
    System.arraycopy(held.array(), offset() - taken, larger.array(), larger.arrayOffset(), kept);
    int shift = start - taken;
    held = larger;
    start -= shift;
    end -= shift;
    searched -= shift;
  }

  /// What is here is the stream's again.
  void giveBack() throws IOException {
    check();
    if (isMarked()) {
      throw new IllegalStateException(
          "a frame is taken as a whole: it cannot be given back inside");
    }
    if (size() > 0) {
      stream.unread(view());
      take(size());
    }
  }

  @Override
  public String toString() {
    return stream.toString();
  }
}
