// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.UserBuffers;
import dev.couv.world.Delivery;
import dev.couv.world.LooseStream;
import dev.couv.world.Reading;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A stream that a program has open, over one [End] of a connection.
///
/// What is given away to be written, and there is no room for, waits in a queue of its own; who leaves it has still written
/// it. Closing drops what waits.
abstract class MemoryStream extends MemoryHandle implements StreamHandle {
  /// What is given away at once.
  private static final int PIECE = 1 << 16;

  private final End end;
  private final Read reading = new Read();
  private final ArrayDeque<ByteBuffer> putBack = new ArrayDeque<>(1);
  private final ArrayDeque<Piece> queue = new ArrayDeque<>(2);
  private boolean loose;

  /// By which its process has it; negative if nobody has asked for it.
  private int number = -1;

  @SuppressWarnings("this-escape") // it is only kept
  MemoryStream(End end, EventLoop loop) {
    super(MemoryProcess.here(end.node()), loop);
    this.end = end;
    end.usedBy(this);
  }

  final End end() {
    return end;
  }

  /// A socket was passed to this one.
  void passed(Passable socket) {
    socket.released();
  }

  /// Whether a read stops here although there are bytes: something else is to be taken first.
  boolean isHeldUp() {
    return false;
  }

  // ---- reading

  @Override
  public final Reading reading() {
    return reading;
  }

  @Override
  public final void putBack(ByteBuffer bytes) {
    putBack.addFirst(bytes);
    changed();
  }

  final boolean hasPutBack() {
    return !putBack.isEmpty();
  }

  private final class Read extends Until implements Reading {
    private int position;
    private int most;

    Read() {
      super("read from");
    }

    @Override
    boolean holds() {
      return !putBack.isEmpty() || end.isReadable();
    }

    @Override
    public void into(ByteBuffer buffer) {
      position = buffer.position();
      most = buffer.remaining();
    }

    @Override
    public void intoOwn(boolean toBePassedOn) {
      most = PIECE;
    }

    @Override
    public int finishInto(ByteBuffer into) throws IOException {
      ByteBuffer came = take();
      if (came == null) {
        return -1;
      }
      int start = position;
      int count = 0;
      try {
        while (came != null) {
          if (start + count + came.remaining() > into.limit()) {
            throw new IllegalStateException();
          }
          into.put(start + count, came, came.position(), came.remaining());
          count += came.remaining();
          most -= came.remaining();
          came = most > 0 && !isHeldUp() ? takeMore() : null;
        }
      } catch (IllegalStateException freed) {
        putBack.addFirst(came);
        throw new IllegalStateException(
            "the buffer was changed or freed while "
                + MemoryStream.this
                + " was read into it; what arrived is there for the next read");
      }
      into.position(start + count);
      return count;
    }

    @Override
    public @Nullable ByteBuffer finishOwn() throws IOException {
      ByteBuffer came = take();
      if (came == null) {
        return null;
      }
      ByteBuffer own = ByteBuffer.allocate(came.remaining()).put(came).flip();
      return own;
    }

    private @Nullable ByteBuffer take() throws IOException {
      if (!isOpen()) {
        throw Failures.closedWhile(MemoryStream.this, "read");
      }
      ByteBuffer came = takeMore();
      if (came == null && !end.hasEnded()) {
        String error = end.takeError();
        if (error != null) {
          throw Failures.named(error, "read", MemoryStream.this.toString());
        }
      }
      return came;
    }

    private @Nullable ByteBuffer takeMore() {
      ByteBuffer back = putBack.peek();
      if (back == null) {
        return end.take(most, MemoryStream.this::passed);
      }
      int count = Math.min(most, back.remaining());
      ByteBuffer taken = back.slice(back.position(), count);
      back.position(back.position() + count);
      if (!back.hasRemaining()) {
        putBack.remove();
      }
      return taken;
    }
  }

  // ---- writing

  @Override
  public final boolean writeNow(ByteBuffer... from) throws IOException {
    if (!UserBuffers.hasRemaining(from)) {
      return true; // nothing is written, and so nothing told
    }
    checkWritable();
    if (!queue.isEmpty()) {
      return false;
    }
    for (ByteBuffer buffer : from) {
      end.put(buffer, Integer.MAX_VALUE, null);
      if (buffer.hasRemaining()) {
        return false;
      }
    }
    return true;
  }

  final void checkWritable() throws IOException {
    String error = end.writeError();
    if (error != null) {
      throw Failures.named(error, "write", toString());
    }
  }

  @Override
  public final Delivery write(ByteBuffer... from) {
    return new Piece("write to", "written", null, from);
  }

  @Override
  public final @Nullable Operation leftovers() {
    return queue.isEmpty()
        ? null
        : new Until("an earlier write to") {
          @Override
          boolean holds() {
            return queue.isEmpty();
          }
        };
  }

  @Override
  public Delivery shutdown() {
    return new Piece("shutdown of", "shut down", null);
  }

  /// Something changed at the connection's end.
  final void endChanged() {
    pump();
    changed();
  }

  /// Sends of what waits as much as there is room for.
  private void pump() {
    for (Piece first; (first = queue.peek()) != null && first.goes(); ) {
      queue.remove();
    }
  }

  /// Bytes that wait for room, or the end of all: in memory of its own from its start on.
  class Piece extends Until implements Delivery {
    private final String done;
    private final @Nullable Passable passed;
    private final ByteBuffer[] from;
    private @Nullable ByteBuffer rest;
    private boolean sent;
    private boolean settled;
    private boolean gone;
    private @Nullable String error;

    Piece(String what, String done, @Nullable Passable passed, ByteBuffer... from) {
      super(what);
      this.done = done;
      this.passed = passed;
      this.from = from;
      settled = from.length > 0;
    }

    @Override
    protected final boolean enter() {
      rest = copy();
      if (passed != null) {
        passed.shared(); // who closes the socket meanwhile closes his own
      }
      queue.add(this);
      pump();
      return super.enter();
    }

    private ByteBuffer copy() {
      ByteBuffer copy = ByteBuffer.allocate((int) Math.min(PIECE, remaining()));
      for (ByteBuffer buffer : from) {
        int count = Math.min(copy.remaining(), buffer.remaining());
        copy.put(copy.position(), buffer, buffer.position(), count);
        copy.position(copy.position() + count);
        buffer.position(buffer.position() + count);
      }
      return copy.flip();
    }

    private long remaining() {
      long remaining = 0;
      for (ByteBuffer buffer : from) {
        remaining += buffer.remaining();
      }
      return remaining;
    }

    /// Sends it, as far as there is room: whether it is done with.
    private boolean goes() {
      ByteBuffer bytes = rest;
      boolean over = bytes == null;
      if (bytes != null) {
        error = end.writeError();
        if (error == null) {
          sent |= end.put(bytes, Integer.MAX_VALUE, sent ? null : passed) > 0;
        }
        over = error != null || !bytes.hasRemaining();
      }
      if (over && from.length == 0 && error == null) {
        end.shut();
      }
      if (over && from.length == 0) { // others have a turn before who waits for it
        node()
            .network()
            .agenda()
            .soon(
                node(),
                () -> {
                  settled = true;
                  changed();
                });
      }
      if (over) {
        gone = true;
        letGo();
      }
      return over;
    }

    private void letGo() {
      rest = null;
      if (passed != null) {
        passed.released();
      }
    }

    @Override
    final boolean holds() {
      return rest == null && settled;
    }

    @Override
    public void finish() throws IOException {
      if (!isOpen() && !gone) {
        throw Failures.closedWhile(MemoryStream.this, done);
      }
      if (error != null) {
        String call = from.length == 0 ? "shutdown" : "write";
        String told = from.length == 0 ? "ENOTCONN" : error;
        throw Failures.named(told, call, MemoryStream.this.toString());
      }
    }

    final int waiting() {
      return rest == null ? 0 : rest.remaining();
    }
  }

  @Override
  public final long pending() {
    long pending = 0;
    for (Piece piece : queue) {
      pending += piece.waiting();
    }
    return pending;
  }

  // ---- for children

  @Override
  public final int descriptor() throws IOException {
    checkUsable();
    if (number < 0) {
      number = process().descriptors().lend(new Descriptors.Socket(end));
    }
    return number;
  }

  /// No call of a system waits here, whoever makes it.
  @Override
  public final void blocking(boolean on) throws IOException {
    checkUsable();
  }

  // ---- the end

  @Override
  void closing() {
    if (number >= 0) {
      process().descriptors().giveBack(number);
    }
    queue.forEach(Piece::letGo);
    queue.clear();
    end.leftBy(this);
    if (!loose) {
      end.released();
    }
  }

  /// Takes the end away, with what was put back, and closes this.
  final <H extends StreamHandle> LooseStream<H> loosen(Class<H> kind) {
    loose = true;
    String name = toString();
    close();
    return new LooseEnd<>(kind, end, putBack, name);
  }

  final void takeUp(ArrayDeque<ByteBuffer> left) {
    putBack.addAll(left);
  }
}
