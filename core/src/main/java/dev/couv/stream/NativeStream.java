// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.coro.LoopBound;
import dev.couv.error.BusyException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Operation;
import dev.couv.loop.Turns;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A byte stream over one of libuv's: everything that does not depend on what is at the other end.
/// Only the runtime's own packages extend it.
///
/// ## Reading
///
/// Bytes go straight into a direct buffer, or through the loop's scratch buffer into a heap buffer:
/// an idle stream holds no buffer. libuv stays armed between two reads.
///
/// ## Writing
///
/// A write first tries what the kernel takes at once. Of what is left, a bounded piece at a time is
/// copied into native memory of the request and queued; so libuv never sees the caller's memory after
/// the call, and a peer that does not read costs at most one piece.
@SuppressWarnings(
    "exports") // constructors and hooks speak of the layer below, for the features only
public abstract class NativeStream implements ByteStream, LoopBound {
  private final StreamHandle handle;
  private boolean reading;
  private boolean blocking;

  /// A stream over a handle of that libuv type, which the subclass opens when it is complete: [#open].
  @SuppressWarnings("this-escape") // the handle only keeps it, for its name
  protected NativeStream(EventLoop loop, int handleType) {
    handle = new StreamHandle(loop, handleType, this);
  }

  /// Has libuv make its handle. A negative code if that refused: then there is nothing to close.
  protected final int open(ObjectHandle.Initialiser initialiser) {
    return handle.initialised(initialiser);
  }

  protected final EventLoop loop() {
    return handle.loop();
  }

  @Override
  public final boolean isHere() {
    return loop().isInside();
  }

  /// The address of the native handle, for the calls that set the stream up.
  protected final long uncheckedAddress() {
    return handle.address();
  }

  /// The address of the native handle, while the stream is open.
  protected final long address() throws ClosedChannelException {
    handle.checkUsable();
    return handle.address();
  }

  /// Its descriptor in the system, which stays its own.
  public final int descriptor() throws IOException {
    long handle = address(); // before the scratch is touched: it checks thread and state
    long at = loop().scratch().argumentsAddress();
    Failures.check(UvHandle.uv_fileno(handle, at), "fileno", this);
    int descriptor = Memory.getInt(at);
    this.handle.has(descriptor);
    return descriptor;
  }

  /// Whether the system's calls on its descriptor wait: so programs expect it that are given it. While
  /// they do, this side neither reads nor writes: it would be the loop that waits.
  public final void blocking(boolean on) throws IOException {
    Failures.check(UvStream.uv_stream_set_blocking(address(), on ? 1 : 0), "set blocking", this);
    blocking = on;
  }

  @Override
  public final int read(ByteBuffer into) throws IOException {
    UserBuffers.checkTarget(into);
    if (!into.hasRemaining()) {
      handle.checkUsable();
      Suspension.pass("read");
      return 0;
    }
    ReadOperation read = beginRead();
    try {
      read.into(into);
      Suspension.await(read);
      return read.finishInto(into);
    } finally {
      reading = false;
    }
  }

  @Override
  public final @Nullable ByteBuffer read() throws IOException {
    ReadOperation read = beginRead();
    try {
      read.intoOwn();
      Suspension.await(read);
      return read.finishOwn();
    } finally {
      reading = false;
    }
  }

  /// [ByteStream#read()], perhaps into a buffer of the loop's; [#transferred] gives it back.
  final @Nullable ByteBuffer readTransfer() throws IOException {
    ReadOperation read = beginRead();
    try {
      read.intoTransfer();
      Suspension.await(read);
      return read.finishOwn();
    } finally {
      reading = false;
    }
  }

  final void transferred(ByteBuffer bytes) {
    if (bytes.isDirect()) {
      loop().transfers().give(bytes);
    }
  }

  @Override
  public final void unread(ByteBuffer bytes) throws IOException {
    handle.checkUsable();
    if (bytes.hasRemaining()) {
      handle.putBack(ByteBuffer.allocate(bytes.remaining()).put(bytes).flip());
    }
  }

  private ReadOperation beginRead() throws IOException {
    checkReadable();
    if (reading) {
      throw new BusyException(this + ": another coroutine is already reading it");
    }
    reading = true;
    return handle.reading();
  }

  /// A refusal counts as an await: who does not heed it must not starve the others.
  private void checkReadable() throws IOException {
    if ((!handle.isOpen() || reading) && Suspension.isInCoroutine()) {
      Suspension.pass("read");
    }
    handle.checkUsable();
    checkNotBlocking();
  }

  private void checkWritable() throws IOException {
    handle.checkUsable();
    checkNotBlocking();
  }

  private void checkNotBlocking() {
    if (blocking) {
      throw new IllegalStateException(this + " was made to block, for others: the loop would wait");
    }
  }

  @Override
  public final void write(ByteBuffer... from) throws IOException {
    UserBuffers.checkSources(from);
    checkWritable();
    Turns turns = takeTurn();
    try {
      writeInTurn(PLAINLY, from);
    } finally {
      turns.pass();
    }
  }

  private void writeInTurn(Waiting waiting, ByteBuffer... from) throws IOException {
    do {
      // With the turn taken: who makes room for others here must not be overtaken by them. And
      // each time: a kernel that takes everything at once must not keep the others waiting.
      passInTurn(waiting, "write");
      int buffers = Gather.prepare(loop().scratch(), from);
      if (writeNow(buffers, from) < Gather.offered(loop().scratch(), buffers)) {
        WriteOperation write = new WriteOperation(handle, from);
        waiting.await(write);
        write.finish();
      }
    } while (Gather.hasRemaining(from));
  }

  /// How a writer waits.
  @FunctionalInterface
  private interface Waiting {
    void await(Operation operation) throws IOException;
  }

  private static final Waiting PLAINLY = Suspension::await;

  private void passInTurn(Waiting waiting, String call) throws IOException {
    Suspension.pass(call);
    checkStillOpen();
    if (handle.isDraining()) {
      waiting.await(new DrainOperation(handle));
      checkStillOpen();
    }
  }

  private void checkStillOpen() throws IOException {
    if (!handle.isOpen()) {
      throw Failures.closedWhile(this, "written");
    }
  }

  /// Writes all of a file's bytes, inside the kernel as far as the socket takes them at once. While it is
  /// full, a piece is queued in the ordinary way: that it is written tells that there is room again.
  /// For the runtime's own packages.
  public final void writeFrom(FileSource source) throws IOException {
    checkWritable();
    Turns turns = takeTurn(source::await);
    try {
      writeInTurn(source);
    } finally {
      turns.pass();
    }
  }

  private void writeInTurn(FileSource source) throws IOException {
    // The worker thread that sends must not meet another file under the socket's number.
    int socket = duplicate();
    try {
      boolean ended = false;
      while (!ended) {
        boolean direct = UvStream.uv_stream_get_write_queue_size(handle.address()) == 0;
        long count = direct ? source.send(socket) : FileSource.FULL;
        checkStillOpen();
        ended = count == 0 || (count == FileSource.FULL && !writePiece(source));
      }
    } finally {
      if (!source.keepsSocket()) {
        Posix.close(socket);
      }
    }
  }

  /// False at the end.
  private boolean writePiece(FileSource source) throws IOException {
    ByteBuffer piece = source.piece();
    if (piece == null) {
      return false;
    }
    try {
      writeInTurn(source::await, piece);
    } finally {
      source.taken(piece.position());
    }
    return true;
  }

  private int duplicate() throws IOException {
    long number = loop().scratch().argumentsAddress();
    Failures.check(UvHandle.uv_fileno(handle.address(), number), "fileno", this);
    return Failures.check(Posix.dup(Memory.getInt(number)), "dup", this);
  }

  /// Waits until nobody else writes.
  private Turns takeTurn() throws IOException {
    return takeTurn(PLAINLY);
  }

  private Turns takeTurn(Waiting waiting) throws IOException {
    Turns turns = handle.turns();
    Operation turn = turns.take("write to");
    if (turn != null) {
      waiting.await(turn);
      if (!handle.isOpen()) {
        turns.pass();
        throw Failures.closedWhile(this, "written");
      }
    }
    return turns;
  }

  @Override
  public final int tryWrite(ByteBuffer from) throws IOException {
    UserBuffers.checkSources(from);
    checkWritable();
    return handle.turns().isFree() ? writeNow(Gather.prepare(loop().scratch(), from), from) : 0;
  }

  /// What the kernel takes now of the buffers that were prepared; their positions move by it.
  private int writeNow(int buffers, ByteBuffer... from) throws IOException {
    if (buffers == 0) {
      return 0;
    }
    int code = UvStream.uv_try_write(handle.address(), loop().scratch().vectorAddress(), buffers);
    if (code == UvErrors.UV_EAGAIN) {
      return 0;
    }
    Failures.check(code, "write", this);
    Gather.advance(from, code);
    return code;
  }

  @Override
  public final void shutdown() throws IOException {
    handle.checkUsable();
    Turns turns = takeTurn();
    try {
      ShutdownOperation shutdown = new ShutdownOperation(handle);
      Suspension.await(shutdown);
      if (shutdown.isOfAPipe()) {
        close(); // it has one direction, which ends when it is closed
      } else {
        shutdown.finish();
      }
    } finally {
      turns.pass();
    }
  }

  @Override
  public final boolean isOpen() {
    return handle.isOpen();
  }

  @Override
  public final long pending() throws IOException {
    handle.checkUsable();
    return UvStream.uv_stream_get_write_queue_size(handle.address());
  }

  @Override
  public final void close() {
    handle.close();
  }

  // ---- to another loop

  /// Makes a stream of the same kind of a descriptor, which stays the caller's if that fails.
  @FunctionalInterface
  protected interface Reopening<S extends NativeStream> {
    S reopen(EventLoop loop, int descriptor) throws IOException;
  }

  /// Waits until all is written, and takes the socket off this loop: the stream is closed, and what it
  /// was is in the result. For a subclass that can be opened again from a descriptor.
  protected final <S extends NativeStream> Detached<S> detach(Reopening<S> reopening)
      throws IOException {
    checkDetachable();
    Turns turns = takeTurn();
    try {
      passInTurn(PLAINLY, "detach");
      checkDetachable(); // others may have run
      String name = toString();
      int descriptor = duplicate(); // libuv closes its own
      Detached<S> detached =
          new Detached<>(name, descriptor, handle.takeLeft(), handle.ending(), reopening);
      close();
      return detached;
    } finally {
      turns.pass();
    }
  }

  /// Whether it can be taken off its loop as it is: asked again after waiting.
  protected void checkDetachable() throws IOException {
    handle.checkUsable();
    if (reading) {
      throw new BusyException(this + ": another coroutine is reading it");
    }
    if (handle.isPinned()) {
      throw new BusyException(this + " is on its way to another process");
    }
  }

  /// Takes up where the stream it was on another loop stopped.
  final void resume(@Nullable ByteBuffer left, int ending) {
    handle.resume(left, ending);
  }

  /// Closes in another way, which gets the handle's address and has libuv close it whatever happens.
  protected final void closeBy(LongConsumer closer) {
    handle.closedBy(closer);
  }

  // ---- for streams on which handles are passed

  /// Bytes have come, and perhaps something with them. In the callback, before the reader is told.
  protected void bytesArrived() {}

  /// The stream is being closed: what nobody took is released. May be called in a callback.
  protected void closing() {}

  /// The native half, to be passed.
  protected final ObjectHandle handle() {
    return handle;
  }

  /// Whether bytes are at hand that a read took and its coroutine did not.
  protected final boolean hasBytesAtHand() {
    return handle.hasLeft();
  }

  /// Writes the bytes, at least one, and a copy of the handle with the first of them.
  protected final void writeWith(ByteBuffer from, ObjectHandle passed) throws IOException {
    UserBuffers.checkSources(from);
    checkWritable();
    Turns turns = takeTurn();
    try {
      passInTurn(PLAINLY, "send");
      passed.checkUsable(); // others may have run
      int buffers = Gather.prepare(loop().scratch(), from);
      int code =
          handle.passing(
              () ->
                  UvStream.uv_try_write2(
                      handle.address(),
                      loop().scratch().vectorAddress(),
                      buffers,
                      passed.address()));
      if (code == UvErrors.UV_EAGAIN) {
        PassOperation pass = new PassOperation(handle, from, passed);
        Suspension.await(pass);
        pass.finish();
      } else {
        Failures.check(code, "send", this);
        from.position(from.position() + code);
      }
      if (from.hasRemaining()) {
        writeInTurn(PLAINLY, from);
      }
    } finally {
      turns.pass();
    }
  }
}
