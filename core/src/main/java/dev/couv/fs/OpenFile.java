// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.uv.FileLayouts;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
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
/// Closing ends what is awaited with an `AsynchronousCloseException`. A file that is collected without having been
/// closed is closed then.
///
/// Belongs to the loop whose coroutine opened it, or first awaits something of it.
public final class OpenFile implements ByteStream {
  private static final Cleaner CLEANER = Cleaner.create();

  /// How much [#read()] takes at once.
  private static final int PIECE = 1 << 16;

  private final Path path;
  private final Descriptor descriptor;
  private final FileBytes bytes;
  private final Cleaner.Cleanable cleanable;

  /// Null if it was opened elsewhere.
  private final @Nullable FileInfo infoWhenOpened;

  private OpenFile(
      Path path, Descriptor descriptor, boolean appends, @Nullable FileInfo infoWhenOpened) {
    this.path = path;
    this.descriptor = descriptor;
    this.bytes = new FileBytes(this, descriptor, appends);
    this.infoWhenOpened = infoWhenOpened;
    this.cleanable = CLEANER.register(this, descriptor);
  }

  static OpenFile open(Way way, Path path, int flags, int mode) throws IOException {
    boolean appends = (flags & FileLayouts.UV_FS_O_APPEND) != 0;
    return open(way, FileCalls.open(path, flags, mode), path, appends);
  }

  static OpenFile open(Way way, FileRequest<Integer> opening, Path path, boolean appends)
      throws IOException {
    int fd = way.make(opening);
    try {
      return of(way, path, fd, appends);
    } catch (Throwable failed) {
      opening.release(fd);
      throw failed;
    }
  }

  /// Takes over the descriptor, unless this fails.
  static OpenFile of(Way way, Path path, int fd, boolean appends) throws IOException {
    // At once: the file is open, so this asks nobody but the kernel's memory.
    FileInfo info = FileCalls.fstat(fd, path.toString()).now();
    boolean regular = info.isRegularFile() || info.type() == FileType.BLOCK_DEVICE;
    EventLoop home = way == Way.AWAITED ? Suspension.loopOrNull() : null;
    Descriptor descriptor = new Descriptor(fd, path.toString(), regular, home);
    return new OpenFile(path, descriptor, appends, info);
  }

  /// A file that was opened elsewhere, by a descriptor that is its own from now on. Calls without an offset go
  /// on where the last one ended that anybody made who shares the open file, as standard input and
  /// output are shared: so the place is the system's, and what a read brings that was cancelled is
  /// kept for the next one. `name` is what it is called.
  public static OpenFile adopt(int descriptor, Path name) {
    Descriptor shared = new Descriptor(descriptor, name.toString(), false, Suspension.loopOrNull());
    return new OpenFile(name, shared, false, null);
  }

  /// Its path, as it was opened.
  public Path path() {
    return path;
  }

  /// The system's number for it, for calls that Couv does not have. Valid while the file is open.
  public int descriptor() throws IOException {
    return descriptor.number();
  }

  // ---- reading

  /// Reads at least one byte from where the last read or write ended; -1 at the end of the file.
  @Override
  public int read(ByteBuffer into) throws IOException {
    return bytes.read(into);
  }

  /// Like [#read(ByteBuffer)], blocking the thread.
  public int readNow(ByteBuffer into) throws IOException {
    return bytes.readNow(into);
  }

  /// Reads at least one byte from there on; -1 at the end of the file or behind it.
  public int read(ByteBuffer into, long offset) throws IOException {
    descriptor.checkUsable();
    return bytes.read(Way.AWAITED, into, checked(offset));
  }

  /// Like [#read(ByteBuffer, long)], blocking the thread.
  public int readNow(ByteBuffer into, long offset) throws IOException {
    bytes.checkIdle("readNow");
    return bytes.read(Way.NOW, into, checked(offset));
  }

  @Override
  public @Nullable ByteBuffer read() throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    return read(piece) < 0 ? null : piece.flip();
  }

  /// Puts bytes back, for the next read without an offset.
  @Override
  public void unread(ByteBuffer back) throws IOException {
    descriptor.checkUsable();
    if (back.hasRemaining()) {
      bytes.leave(ByteBuffer.allocate(back.remaining()).put(back).flip());
    }
  }

  // ---- writing

  /// Writes all bytes, in order, where the last read or write ended. A file that was opened with
  /// `APPEND` takes them at its end, and reading goes on where it was.
  @Override
  public void write(ByteBuffer... from) throws IOException {
    bytes.write(from);
  }

  /// Like [#write(ByteBuffer...)], blocking the thread.
  public void writeNow(ByteBuffer... from) throws IOException {
    bytes.writeNow(from);
  }

  /// Writes all bytes from there on; but a file that was opened with `APPEND` takes them at its end.
  public void write(ByteBuffer from, long offset) throws IOException {
    write(new ByteBuffer[] {from}, offset);
  }

  /// Likewise, from several buffers.
  public void write(ByteBuffer[] from, long offset) throws IOException {
    descriptor.checkUsable();
    bytes.write(Way.AWAITED, checked(offset), from);
  }

  /// Like [#write(ByteBuffer, long)], blocking the thread.
  public void writeNow(ByteBuffer from, long offset) throws IOException {
    writeNow(new ByteBuffer[] {from}, offset);
  }

  /// Like [#write(ByteBuffer\[\], long)], blocking the thread.
  public void writeNow(ByteBuffer[] from, long offset) throws IOException {
    bytes.checkIdle("writeNow");
    bytes.write(Way.NOW, checked(offset), from);
  }

  /// A file takes what it takes only in a system call that may wait: nothing, at once.
  @Override
  public int tryWrite(ByteBuffer from) throws IOException {
    Objects.requireNonNull(from, "from");
    descriptor.checkUsable();
    return 0;
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
    descriptor.checkUsable();
    Suspension.pass("touch");
    // At once: the file is open, so this asks nobody but the kernel's memory.
    touchAtOnce(accessed, modified);
  }

  public void touchNow(@Nullable Instant accessed, @Nullable Instant modified) throws IOException {
    bytes.checkIdle("touchNow");
    touchAtOnce(accessed, modified);
  }

  private void touchAtOnce(@Nullable Instant accessed, @Nullable Instant modified)
      throws IOException {
    descriptor.use();
    try {
      Touch.file(descriptor(), toString(), accessed, modified).make();
    } finally {
      descriptor.release();
      Reference.reachabilityFence(this);
    }
  }

  /// Sends a part of the file to a stream, as far as there is: how much that was. To a socket the bytes
  /// go inside the kernel, without passing through this process.
  ///
  /// Cancelling it, closing the file and closing the stream end it, also while the peer does not read;
  /// both stay the caller's. What the stream has by then is a first part of what was to be sent, without a gap: what
  /// is written next follows it.
  public long sendTo(ByteStream target, long offset, long length) throws IOException {
    return sendTo(target, offset, length, sent -> {});
  }

  /// Likewise, and tells whenever the stream has more of it how much that is in all: so it is known also
  /// of one that was cancelled or failed.
  public long sendTo(ByteStream target, long offset, long length, LongConsumer sent)
      throws IOException {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(sent, "sent");
    descriptor.checkUsable();
    checked(offset);
    checked(length);
    return FileSending.send(this, target, offset, length, sent);
  }

  // ---- as a stream

  /// Nobody reads at another end: nothing to do.
  @Override
  public void shutdown() throws IOException {
    descriptor.checkUsable();
  }

  @Override
  public boolean isOpen() {
    return descriptor.isOpen();
  }

  /// Nothing is queued: a write returns when the system has the bytes.
  @Override
  public long pending() throws IOException {
    descriptor.checkUsable();
    return 0;
  }

  /// Closes it. The descriptor stays the system's until a call that is inside it has ended.
  ///
  /// Some file systems, those on a network above all, tell only now that they could not keep what was
  /// written. This does not tell: call [#flush] first where that matters.
  @Override
  public void close() {
    closeAnswering();
  }

  /// Closes what was written, and tells if the file system could not keep it.
  void closeWritten() throws IOException {
    int code = closeAnswering();
    if (code < 0) {
      throw Failures.ofFile(code, "close", toString());
    }
  }

  private int closeAnswering() {
    int code = descriptor.close();
    cleanable.clean(); // nothing more to do, so it is forgotten
    return code;
  }

  /// Its number, for a child process: for the runtime's own packages. From now on the place where calls
  /// without an offset go on is the system's own, which both move.
  public int share() throws IOException {
    descriptor.checkUsable();
    bytes.share();
    return descriptor.number();
  }

  // ---- for the rest of the package

  /// What was asked when it was opened, for those who need it just then.
  FileInfo infoWhenOpened() {
    if (infoWhenOpened == null) {
      throw new AssertionError(this + " was opened elsewhere");
    }
    return infoWhenOpened;
  }

  boolean isRegular() {
    return descriptor.isRegular();
  }

  <T extends @Nullable Object> T make(FileRequest<T> request) throws IOException {
    descriptor.checkUsable();
    return make(Way.AWAITED, request);
  }

  private <T extends @Nullable Object> T now(FileRequest<T> request) throws IOException {
    bytes.checkIdle(request.toString());
    return make(Way.NOW, request);
  }

  /// Awaits something else, which closing this file ends, too.
  void awaitElsewhere(Operation operation) throws IOException {
    descriptor.awaitElsewhere(operation);
  }

  /// Its number, for a call that ends with [#release].
  int use() throws IOException {
    descriptor.checkUsable();
    descriptor.use();
    return descriptor.usedNumber();
  }

  void release() {
    descriptor.release();
  }

  /// After a wait: somebody may have closed it.
  void checkStillOpen() throws IOException {
    if (!isOpen()) {
      throw Failures.closedWhile(this, "used");
    }
  }

  <T extends @Nullable Object> T make(Way way, FileRequest<T> request) throws IOException {
    try {
      return descriptor.make(way, request);
    } finally {
      Reference.reachabilityFence(this);
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
}
