// SPDX-License-Identifier: Apache-2.0
package dev.couv.wire;

import dev.couv.coro.LoopBound;
import dev.couv.error.BusyException;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.Turns;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.world.Delivery;
import dev.couv.world.Handle;
import dev.couv.world.LocalHandle;
import dev.couv.world.LooseStream;
import dev.couv.world.Reading;
import dev.couv.world.SocketHandle;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A byte stream over a handle of the world: who extends it implements `ByteStream`, whose methods these are.
///
/// One coroutine reads, and one writes at a time: those who want to write meanwhile take turns. A write first tries what is
/// taken at once; of what is left, a piece at a time is given away and awaited.
public abstract class NativeStream implements LoopBound, KeepsNothing {
  private final StreamHandle handle;
  private final Turns turns;
  private boolean reading;
  private boolean blocking;

  /// A stream over that handle, which is its own from now on.
  protected NativeStream(StreamHandle handle) {
    this.handle = handle;
    this.turns = new Turns(handle);
  }

  @Override
  public final boolean isHere() {
    return handle.loop().isInside();
  }

  /// Its descriptor in the system, which stays its own.
  ///
  /// @throws UnsupportedOperationException if the stream is none of the system's
  public final int descriptor() throws IOException {
    return handle.descriptor();
  }

  /// Whether the system's calls on its descriptor wait: so programs expect it that are given it. While
  /// they do, this side neither reads nor writes: it would be the loop that waits.
  ///
  /// @throws UnsupportedOperationException if the stream is none of the system's
  /// @throws IllegalStateException if somebody reads or writes who would wait so
  public final void blocking(boolean on) throws IOException {
    if (on && (reading || !turns.isFree())) {
      throw new IllegalStateException(
          "somebody is " + (reading ? "reading " : "writing ") + this + ": it cannot be lent now");
    }
    handle.blocking(on);
    blocking = on;
  }

  // ---- reading

  /// Waits for bytes and puts what has arrived into the buffer: their number, or -1 at the end of the stream.
  public final int read(ByteBuffer into) throws IOException {
    UserBuffers.checkTarget(into);
    if (!into.hasRemaining()) {
      handle.checkUsable();
      Suspension.pass("read");
      return 0;
    }
    Reading read = beginRead();
    try {
      read.into(into);
      Suspension.await(read);
      return read.finishInto(into);
    } finally {
      reading = false;
    }
  }

  /// Waits for bytes and returns what has arrived, in a buffer that is the caller's; null at the end of the stream.
  public final @Nullable ByteBuffer read() throws IOException {
    Reading read = beginRead();
    try {
      return await(read, false);
    } finally {
      reading = false;
    }
  }

  /// As [#read()], but perhaps in a buffer of the loop's; and nobody else reads before [#endTransfer], which is due whatever came, null as
  /// well, and not if this throws. For [Transfers].
  final @Nullable ByteBuffer beginTransfer() throws IOException {
    Reading read = beginRead();
    ByteBuffer bytes = null;
    boolean brought = false;
    try {
      bytes = await(read, true);
      brought = true;
    } finally {
      reading = brought;
    }
    return bytes;
  }

  final void endTransfer() {
    reading = false;
  }

  private static @Nullable ByteBuffer await(Reading read, boolean toBePassedOn) throws IOException {
    read.intoOwn(toBePassedOn);
    Suspension.await(read);
    return read.finishOwn();
  }

  /// Puts bytes back in front of all that has not been read.
  public final void unread(ByteBuffer bytes) throws IOException {
    handle.checkUsable();
    if (bytes.hasRemaining()) {
      handle.putBack(ByteBuffer.allocate(bytes.remaining()).put(bytes).flip());
    }
  }

  /// A refusal counts as an await: who does not heed it must not starve the others.
  private Reading beginRead() throws IOException {
    if ((!handle.isOpen() || reading) && Suspension.isInCoroutine()) {
      Suspension.pass("read");
    }
    handle.checkUsable();
    checkNotBlocking();
    if (reading) {
      throw new BusyException(this + ": another coroutine is already reading it");
    }
    reading = true;
    return handle.reading();
  }

  private void checkNotBlocking() {
    if (blocking) {
      throw new IllegalStateException(this + " was made to block, for others: the loop would wait");
    }
  }

  // ---- writing

  /// Writes all of the buffers, in order.
  public final void write(ByteBuffer... from) throws IOException {
    UserBuffers.checkSources(from);
    takeTurn(PLAINLY);
    try {
      writeInTurn(PLAINLY, from);
    } finally {
      turns.pass();
    }
  }

  final void writeInTurn(Waiting waiting, ByteBuffer... from) throws IOException {
    do {
      // With the turn taken: who makes room for others here must not be overtaken by them. And
      // each time: a kernel that takes everything at once must not keep the others waiting.
      passInTurn(waiting, "write");
      if (!handle.writeNow(from)) {
        Delivery write = handle.write(from);
        waiting.await(write);
        write.finish();
      }
    } while (UserBuffers.hasRemaining(from));
  }

  /// How a writer waits.
  @FunctionalInterface
  interface Waiting {
    void await(Operation operation) throws IOException;
  }

  static final Waiting PLAINLY = Suspension::await;

  private void passInTurn(Waiting waiting, String call) throws IOException {
    Suspension.pass(call);
    checkStillOpen();
    Operation leftovers = handle.leftovers();
    if (leftovers != null) {
      waiting.await(leftovers);
      checkStillOpen();
    }
  }

  final void checkStillOpen() throws IOException {
    if (!handle.isOpen()) {
      throw Failures.closedWhile(this, "written");
    }
  }

  /// Waits until nobody else writes, if it can be written to at all.
  final void takeTurn(Waiting waiting) throws IOException {
    handle.checkUsable();
    checkNotBlocking();
    queue(waiting);
  }

  private void queue(Waiting waiting) throws IOException {
    Operation turn = turns.ask("write to");
    if (turn != null) {
      waiting.await(turn);
      if (!handle.isOpen()) {
        turns.pass();
        throw Failures.closedWhile(this, "written");
      }
    }
  }

  final void passTurn() {
    turns.pass();
  }

  /// Writes what is taken at once, and returns how many bytes that was; 0 if a writer is waiting.
  public final int tryWrite(ByteBuffer from) throws IOException {
    UserBuffers.checkSources(from);
    handle.checkUsable();
    checkNotBlocking();
    int start = from.position();
    if (turns.isFree()) {
      handle.writeNow(from);
    }
    return from.position() - start;
  }

  /// Ends the stream for the other side, after all that was written before.
  public final void shutdown() throws IOException {
    handle.checkUsable();
    queue(PLAINLY);
    try {
      Delivery shutdown = handle.shutdown();
      Suspension.await(shutdown);
      shutdown.finish();
    } finally {
      turns.pass();
    }
  }

  /// Whether it was not closed yet.
  public final boolean isOpen() {
    return handle.isOpen();
  }

  /// Bytes that were accepted for writing and are not with the kernel yet.
  public final long pending() throws IOException {
    handle.checkUsable();
    return handle.pending();
  }

  /// Closes it and wakes whoever waits. Does nothing the second time.
  public final void close() {
    handle.close();
  }

  final StreamHandle handle() {
    return handle;
  }

  // ---- for sockets

  /// Takes a connection off its loop.
  @FunctionalInterface
  protected interface Taking<H extends StreamHandle> {
    LooseStream<H> take() throws IOException;
  }

  /// Waits until all is written, and has the connection taken off its loop.
  protected final <H extends StreamHandle> LooseStream<H> detach(
      SocketHandle socket, Taking<H> taking) throws IOException {
    checkDetachable(socket);
    queue(PLAINLY);
    try {
      passInTurn(PLAINLY, "detach");
      checkDetachable(socket); // others may have run
      return taking.take();
    } finally {
      turns.pass();
    }
  }

  private void checkDetachable(SocketHandle socket) throws IOException {
    handle.checkUsable();
    if (reading) {
      throw new BusyException(this + ": another coroutine is reading it");
    }
    socket.checkDetachable();
  }

  /// Writes the bytes, at least one, and a copy of the socket with the first of them.
  protected final void writeWith(LocalHandle through, ByteBuffer from, Handle passed)
      throws IOException {
    UserBuffers.checkSources(from);
    takeTurn(PLAINLY);
    try {
      passInTurn(PLAINLY, "send");
      passed.checkUsable(); // others may have run
      if (!through.passNow(from, passed)) {
        Delivery pass = through.pass(from, passed);
        Suspension.await(pass);
        pass.finish();
      }
      if (from.hasRemaining()) {
        writeInTurn(PLAINLY, from);
      }
    } finally {
      turns.pass();
    }
  }

  /// The name of what is at its other end.
  @Override
  public String toString() {
    return handle.toString();
  }
}
