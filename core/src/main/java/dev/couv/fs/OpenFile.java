// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.coro.Suspension;
import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Operation;
import dev.couv.loop.Turns;
import dev.couv.stream.ByteStream;
import dev.couv.uv.FileLayouts;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An open file. Everything comes in two ways: the plain name waits in the calling coroutine, the one
/// that ends in `Now` blocks the calling thread.
///
/// Without an offset, reading and writing go on where the last such call ended; several coroutines
/// take turns, so that their writes do not mix. With an offset that place is neither used nor moved.
/// As a [ByteStream] it can be copied from and to, and read line by line; its end is not for good,
/// because a file may grow.
///
/// Cancelling waits while one of libuv's threads is inside the system call, so the buffers are never
/// touched afterwards; only where that could last for ever (a named pipe, a terminal) it does not wait.
/// A read that is cancelled loses nothing. Of a write the buffers' positions tell how far it came.
///
/// Closing ends what is awaited with a `ClosedException`. A file that is collected without having been
/// closed is closed then.
///
/// Belongs to the loop whose coroutine opened it, or first awaits something of it.
public final class OpenFile implements ByteStream {
  private static final Cleaner CLEANER = Cleaner.create();

  /// How much [#read()] takes at once.
  private static final int PIECE = 1 << 16;

  private final Path path;
  private final Descriptor descriptor;
  private final Cleaner.Cleanable cleanable;

  /// Whether a call cannot last for ever, and positions mean something.
  private final boolean regular;

  private final boolean appends;
  private final Turns turns = new Turns(this);
  private final Set<FileRequest<?>> inFlight = new HashSet<>(2);

  private @Nullable EventLoop home;

  /// Where the next call without an offset begins, in a regular file.
  private long position;

  /// What was read and not taken.
  private @Nullable ByteBuffer left;

  private OpenFile(Path path, int fd, boolean regular, boolean appends) {
    this.path = path;
    this.descriptor = new Descriptor(fd);
    this.cleanable = CLEANER.register(this, descriptor);
    this.regular = regular;
    this.appends = appends;
  }

  static OpenFile open(Way way, Path path, int flags, int mode) throws IOException {
    int fd = way.make(FileCalls.open(path, flags, mode));
    return of(path, fd, (flags & FileLayouts.UV_FS_O_APPEND) != 0);
  }

  /// Takes over the descriptor, which is closed if that fails.
  static OpenFile of(Path path, int fd, boolean appends) throws IOException {
    boolean regular;
    try {
      // At once: the file is open, so this asks nobody but the kernel's memory.
      FileType type = FileCalls.fstat(fd, path.toString()).now().type();
      regular = type == FileType.REGULAR_FILE || type == FileType.BLOCK_DEVICE;
    } catch (Throwable failed) {
      FileCalls.closeNow(fd);
      throw failed;
    }
    return new OpenFile(path, fd, regular, appends);
  }

  /// Its path, as it was opened.
  public Path path() {
    return path;
  }

  /// The system's number for it, for calls that Couv does not have. Valid while the file is open.
  public int descriptor() {
    return descriptor.number(this);
  }

  // ---- reading

  /// Reads at least one byte from where the last read or write ended; -1 at the end of the file.
  @Override
  public int read(ByteBuffer into) throws IOException {
    return inTurn("read", () -> readOn(Way.AWAITED, into));
  }

  /// Like [#read(ByteBuffer)], blocking the thread.
  public int readNow(ByteBuffer into) throws IOException {
    checkNow("readNow");
    return readOn(Way.NOW, into);
  }

  /// Reads at least one byte from there on; -1 at the end of the file or behind it.
  public int read(ByteBuffer into, long offset) throws IOException {
    checkUsable();
    return transferIn(Way.AWAITED, into, checked(offset));
  }

  /// Like [#read(ByteBuffer, long)], blocking the thread.
  public int readNow(ByteBuffer into, long offset) throws IOException {
    checkNow("readNow");
    return transferIn(Way.NOW, into, checked(offset));
  }

  @Override
  public @Nullable ByteBuffer read() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(PIECE);
    return read(bytes) < 0 ? null : bytes.flip();
  }

  /// Puts bytes back, for the next read without an offset.
  @Override
  public void unread(ByteBuffer bytes) {
    checkUsable();
    if (bytes.hasRemaining()) {
      leave(ByteBuffer.allocate(bytes.remaining()).put(bytes).flip());
    }
  }

  private int readOn(Way way, ByteBuffer into) throws IOException {
    ByteBuffer kept = left;
    if (kept != null && into.hasRemaining()) {
      int count = Math.min(kept.remaining(), into.remaining());
      into.put(into.position(), kept, kept.position(), count).position(into.position() + count);
      kept.position(kept.position() + count);
      if (!kept.hasRemaining()) {
        left = null;
      }
      return count;
    }
    int count = transferIn(way, into, regular ? position : -1);
    if (count > 0) {
      position += count;
    }
    return count;
  }

  private int transferIn(Way way, ByteBuffer into, long offset) throws IOException {
    if (into.isReadOnly()) {
      throw new IllegalArgumentException("the buffer is read-only");
    }
    if (!into.hasRemaining()) {
      return 0;
    }
    Transfer transfer = new Transfer(this, Transfer.Direction.READ, offset, regular, into);
    long count = make(way, transfer);
    transfer.deliver(count);
    return count == 0 ? -1 : (int) count;
  }

  // ---- writing

  /// Writes all bytes, in order, where the last read or write ended, or at the end of a file that was
  /// opened with `APPEND`.
  @Override
  public void write(ByteBuffer... from) throws IOException {
    inTurn("write to", () -> writeOn(Way.AWAITED, from));
  }

  /// Like [#write(ByteBuffer...)], blocking the thread.
  public void writeNow(ByteBuffer... from) throws IOException {
    checkNow("writeNow");
    writeOn(Way.NOW, from);
  }

  /// Writes all bytes from there on.
  public void write(ByteBuffer from, long offset) throws IOException {
    write(new ByteBuffer[] {from}, offset);
  }

  /// Likewise, from several buffers.
  public void write(ByteBuffer[] from, long offset) throws IOException {
    checkUsable();
    transferOut(Way.AWAITED, checked(offset), from);
  }

  /// Like [#write(ByteBuffer, long)], blocking the thread.
  public void writeNow(ByteBuffer from, long offset) throws IOException {
    writeNow(new ByteBuffer[] {from}, offset);
  }

  /// Like [#write(ByteBuffer\[\], long)], blocking the thread.
  public void writeNow(ByteBuffer[] from, long offset) throws IOException {
    checkNow("writeNow");
    transferOut(Way.NOW, checked(offset), from);
  }

  /// A file takes what it takes only in a system call that may wait: nothing, at once.
  @Override
  public int tryWrite(ByteBuffer from) {
    checkUsable();
    return 0;
  }

  private int writeOn(Way way, ByteBuffer... from) throws IOException {
    long before = Transfer.remaining(from);
    try {
      transferOut(way, regular && !appends ? position : -1, from);
    } finally {
      position += before - Transfer.remaining(from);
    }
    return 0;
  }

  private void transferOut(Way way, long offset, ByteBuffer... from) throws IOException {
    for (ByteBuffer buffer : from) {
      Objects.requireNonNull(buffer, "buffer");
    }
    long at = offset;
    while (Transfer.remaining(from) > 0) {
      Transfer transfer = new Transfer(this, Transfer.Direction.WRITE, at, regular, from);
      long count;
      try {
        count = make(way, transfer);
      } catch (Cancelled | Resumed left) {
        // It has landed, if it is one that does.
        transfer.deliver(transfer.landedCount());
        throw left;
      }
      transfer.deliver(count);
      at = at < 0 ? at : at + count;
    }
  }

  // ---- about the file

  public FileInfo info() throws IOException {
    return make(FileCalls.fstat(descriptor(), toString()));
  }

  public FileInfo infoNow() throws IOException {
    return now(FileCalls.fstat(descriptor(), toString()));
  }

  public long size() throws IOException {
    return info().size();
  }

  public long sizeNow() throws IOException {
    return infoNow().size();
  }

  /// Cuts it off there, or makes it longer with a hole.
  public void resize(long size) throws IOException {
    make(FileCalls.ftruncate(descriptor(), toString(), checked(size)));
  }

  public void resizeNow(long size) throws IOException {
    now(FileCalls.ftruncate(descriptor(), toString(), checked(size)));
  }

  /// Waits until everything written, and what is known about the file, is on the device.
  public void flush() throws IOException {
    make(FileCalls.fsync(descriptor(), toString()));
  }

  public void flushNow() throws IOException {
    now(FileCalls.fsync(descriptor(), toString()));
  }

  /// Likewise, but only the bytes and what is needed to find them.
  public void flushData() throws IOException {
    make(FileCalls.fdatasync(descriptor(), toString()));
  }

  public void flushDataNow() throws IOException {
    now(FileCalls.fdatasync(descriptor(), toString()));
  }

  public void chmod(Set<PosixFilePermission> permissions) throws IOException {
    chmod(Permissions.bits(permissions));
  }

  public void chmodNow(Set<PosixFilePermission> permissions) throws IOException {
    chmodNow(Permissions.bits(permissions));
  }

  public void chmod(int mode) throws IOException {
    make(FileCalls.fchmod(descriptor(), toString(), Permissions.check(mode)));
  }

  public void chmodNow(int mode) throws IOException {
    now(FileCalls.fchmod(descriptor(), toString(), Permissions.check(mode)));
  }

  /// -1 leaves the owner or the group as it is.
  public void chown(int uid, int gid) throws IOException {
    make(FileCalls.fchown(descriptor(), toString(), uid, gid));
  }

  public void chownNow(int uid, int gid) throws IOException {
    now(FileCalls.fchown(descriptor(), toString(), uid, gid));
  }

  /// Sets its times; null leaves one as it is.
  public void touch(@Nullable Instant accessed, @Nullable Instant modified) throws IOException {
    checkUsable();
    Suspension.pass("touch");
    // At once: the file is open, so this asks nobody but the kernel's memory.
    Touch.file(descriptor(), toString(), accessed, modified).make();
  }

  public void touchNow(@Nullable Instant accessed, @Nullable Instant modified) throws IOException {
    checkNow("touchNow");
    Touch.file(descriptor(), toString(), accessed, modified).make();
  }

  /// Sends a part of the file to a stream, as far as there is: how much that was. To a socket the bytes
  /// go inside the kernel, without passing through this process.
  public long sendTo(ByteStream target, long offset, long length) throws IOException {
    checkUsable();
    checked(offset);
    checked(length);
    return FileSending.send(this, target, offset, length);
  }

  // ---- as a stream

  /// Nobody reads at another end: nothing to do.
  @Override
  public void shutdown() {
    checkUsable();
  }

  @Override
  public boolean isOpen() {
    return descriptor.isOpen();
  }

  /// Nothing is queued: a write returns when the system has the bytes.
  @Override
  public long pending() {
    checkUsable();
    return 0;
  }

  /// Closes it. The descriptor stays the system's until a call that is inside it has ended.
  @Override
  public void close() {
    if (!isOpen()) {
      return;
    }
    if (home != null) {
      home.checkThread(this);
    }
    descriptor.closing();
    left = null;
    for (FileRequest<?> request : List.copyOf(inFlight)) {
      request.endEarly(UvErrors.UV_ECANCELED);
    }
    closeIfUnused();
  }

  private void closeIfUnused() {
    if (!isOpen() && inFlight.isEmpty()) {
      cleanable.clean();
    }
  }

  // ---- for the requests

  void began(FileRequest<?> request) {
    inFlight.add(request);
  }

  void ended(FileRequest<?> request) {
    inFlight.remove(request);
    closeIfUnused();
  }

  /// Bytes that a read took and its coroutine did not.
  void leave(ByteBuffer bytes) {
    ByteBuffer behind = left;
    left =
        behind == null
            ? bytes
            : ByteBuffer.allocate(bytes.remaining() + behind.remaining())
                .put(bytes)
                .put(behind)
                .flip();
  }

  <T extends @Nullable Object> T make(FileRequest<T> request) throws IOException {
    checkUsable();
    return make(Way.AWAITED, request);
  }

  private <T extends @Nullable Object> T now(FileRequest<T> request) throws IOException {
    checkNow(request.toString());
    return Way.NOW.make(request);
  }

  <T extends @Nullable Object> T make(Way way, FileRequest<T> request) throws IOException {
    if (way == Way.NOW) {
      return way.make(request);
    }
    try {
      Suspension.await(request.on(this));
    } catch (Cancelled | Resumed leaving) {
      if (regular) {
        awaitLanding(request);
      }
      throw leaving;
    }
    if (!isOpen()) {
      throw new ClosedException(this + " was closed while it was used");
    }
    return request.finish();
  }

  /// Whoever is cancelled or resumed again meanwhile has been told already.
  private static void awaitLanding(FileRequest<?> request) {
    while (request.isInFlight()) {
      try {
        Coroutine.protect(() -> Suspension.await(request.landing()));
      } catch (Resumed impatient) {
        // It waits on: the system still has the buffer.
      } catch (RuntimeException | Error failed) {
        throw failed;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private interface Work {
    int run() throws IOException;
  }

  private int inTurn(String purpose, Work work) throws IOException {
    checkUsable();
    Operation turn = turns.take(purpose);
    if (turn != null) {
      Suspension.await(turn);
    }
    try {
      checkUsable();
      return work.run();
    } finally {
      turns.pass();
    }
  }

  private void checkUsable() {
    checkOpen();
    EventLoop loop = home;
    if (loop == null) {
      home = Suspension.loopOrNull();
    } else {
      loop.checkThread(this);
    }
  }

  /// Blocking calls may come from anywhere, until a loop has it.
  private void checkNow(String call) {
    checkOpen();
    if (home != null) {
      home.checkThread(this);
    }
    if (!turns.isFree()) {
      throw new IllegalStateException(call + ": a coroutine is in the middle of using " + this);
    }
  }

  private void checkOpen() {
    if (!isOpen()) {
      throw new ClosedException(this + " is closed");
    }
  }

  private static long checked(long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("negative offset or length: " + offset);
    }
    return offset;
  }

  @Override
  public String toString() {
    return path.toString();
  }

  /// The number, apart from the file: the cleaner must not hold that.
  private static final class Descriptor implements Runnable {
    private final int number;
    private volatile boolean open = true;

    Descriptor(int number) {
      this.number = number;
    }

    int number(Object file) {
      if (!open) {
        throw new ClosedException(file + " is closed");
      }
      return number;
    }

    boolean isOpen() {
      return open;
    }

    void closing() {
      open = false;
    }

    /// Once: by the last user, or by the cleaner.
    @Override
    public void run() {
      open = false;
      FileCalls.closeNow(number);
    }
  }
}
