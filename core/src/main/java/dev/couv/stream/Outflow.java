// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.Turns;
import dev.couv.loop.WaitQueue;
import dev.couv.strand.Deputy;
import dev.couv.strand.Suspension;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// How what was written to a [ByteWriter] gets to its stream: at the end of the turn, or when somebody flushes.
///
/// ## Who sees to it
///
/// As long as there is something, somebody does ([FlushState]): the end of the turn, a coroutine that was begun because
/// the kernel did not take it all, or whoever is in a flush, who leaves it to the end of the turn when he goes, however he
/// goes.
///
/// ## Room
///
/// Who writes waits until there is room for it, in the order they came. Nobody overtakes one who waits, nor one who has
/// been given room and has not run yet. What is larger than the room there is gets it when there is nothing else.
final class Outflow {
  /// What is held before a writer waits.
  private static final int FULL = 1 << 16;

  private final ByteSink sink;
  private final PendingBytes pending;
  private final Deputy deputy;
  private final Turns turns;
  private final Rooms rooms = new Rooms();
  private final Flusher flusher = new Flusher();

  private FlushState state = FlushState.NOBODY;

  /// Given to those who have not run yet.
  private long reserved;

  /// How many bytes, of all there have been, a write of the sink has returned from: what it only took may be with it.
  private long confirmed;

  private @Nullable IOException failure;

  /// Whether a writer was told of the failure: not, if it only came at the end of a turn.
  private boolean told;

  Outflow(ByteSink sink, PendingBytes pending, Deputy deputy) {
    this.sink = sink;
    this.pending = pending;
    this.deputy = deputy;
    this.turns = new Turns(sink);
  }

  /// Waits until so many bytes can be put into what is pending: at once, before anything can park.
  void admit(int count) throws IOException {
    enter();
    if (!rooms.isEmpty() || reserved > 0 || !fits(count)) {
      take(count);
      admitted(count);
      rethrow();
    }
    arm();
  }

  /// Writes all of the buffer behind what was written before, and in front of what comes from now on.
  void through(ByteBuffer large) throws IOException {
    enter();
    take(Rooms.ALL);
    try {
      rethrow();
      sink.write(large);
    } catch (IOException thrown) {
      failed(thrown);
      told = true;
      throw thrown;
    } finally {
      rooms.returned(Rooms.ALL);
    }
  }

  /// Waits until the sink has given away all that was written so far.
  void flush() throws IOException {
    try {
      flushAll();
    } catch (IOException thrown) {
      told = true;
      throw thrown;
    }
  }

  /// Likewise, for who is about to close the sink. A failure that was told is not told again: it is on its way up as a rule, and the
  /// same one, thrown by what closes, would be taken for another.
  void finish() throws IOException {
    if (failure == null || !told) {
      flush();
    }
  }

  private void flushAll() throws IOException {
    enter();
    long goal = pending.accepted();
    try {
      while (confirmed < goal) {
        Suspension.takeTurn(turns, "flush");
        try {
          rethrow();
          deliver();
        } finally {
          turns.pass();
        }
      }
    } finally {
      settle();
    }
  }

  private void deliver() throws IOException {
    ByteBuffer out = pending.out();
    int start = out.position();
    long all = pending.accepted();
    try {
      sink.write(out);
      confirmed = all;
      gone(out.position() - start);
    } catch (IOException thrown) {
      failed(thrown);
      throw thrown;
    } catch (Throwable left) {
      gone(out.position() - start);
      throw left;
    }
  }

  private void enter() throws IOException {
    deputy.check(sink);
    rethrow();
  }

  private void take(int count) {
    if (!rooms.tryTake(count)) {
      Suspension.await(rooms.waiting(count));
    }
  }

  /// The room is used now. Others are served when that is gone, and not before it is there: they would overtake it.
  private void admitted(int count) {
    reserved -= count;
    if (count == 0 || failure != null) {
      rooms.serve();
    }
  }

  private boolean fits(int count) {
    long held = pending.size() + reserved;
    return held == 0 || held + count <= FULL;
  }

  private void gone(int count) {
    pending.gone(count);
    rooms.serve();
  }

  /// Somebody leaves: what is still there is the next turn's end's.
  private void settle() {
    if (pending.size() > 0) {
      arm();
    }
  }

  private void arm() {
    if (state == FlushState.NOBODY) {
      deputy.atTurnEnd(flusher);
      state = state.armed();
    }
  }

  /// What is pending is lost, and whoever comes is told.
  private void failed(IOException thrown) {
    failure = thrown;
    pending.drop();
    rooms.serve();
  }

  private void rethrow() throws IOException {
    if (failure != null) {
      told = true;
      throw failure;
    }
  }

  /// Those who wait for room.
  private final class Rooms extends WaitQueue<Integer> {
    /// More than there ever is: served when there is nothing else.
    static final int ALL = Integer.MAX_VALUE;

    @Override
    protected boolean isReady(Integer count) {
      return failure != null || fits(count);
    }

    @Override
    protected void take(Integer count) {
      reserved += count;
    }

    @Override
    protected void putBack(Integer count) {
      reserved -= count;
    }

    @Override
    protected String describe(Integer count) {
      return "room to write to " + sink;
    }
  }

  /// What happens when nobody flushes. Made with the writer: the loop's thread links nothing.
  private final class Flusher implements Runnable, Callable<@Nullable Object> {
    /// The turn has ended. On the loop's thread: nothing waits.
    @Override
    public void run() {
      try {
        boolean free = turns.isFree();
        if (free && pending.size() > 0) {
          gone(sink.tryWrite(pending.out()));
        }
        if (!free || pending.size() == 0) {
          state = state.written();
        } else {
          deputy.begin("flush", this);
          state = state.stalled();
        }
      } catch (Throwable thrown) {
        state = state.given();
        failed(told(thrown));
      }
    }

    /// The kernel did not take all of it: waits until it does. A coroutine.
    @Override
    public @Nullable Object call() {
      try {
        while (pending.size() > 0) {
          flushAll();
        }
      } catch (IOException | RuntimeException thrown) {
        failed(told(thrown));
      } finally {
        state = state.given();
        settle();
      }
      return null;
    }

    private IOException told(Throwable thrown) {
      return thrown instanceof IOException failed
          ? failed
          : new IOException("what was written could not be flushed", thrown);
    }
  }

  @Override
  public String toString() {
    return sink.toString();
  }
}
