// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.EventLoop;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.wire.KeepsNothing;
import dev.couv.world.FileCall;
import dev.couv.world.FileHandle;
import dev.couv.world.OpenedFile;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
@SuppressWarnings("exports") // what it keeps concerns streams only
public final class OpenFile implements ByteStream, KeepsNothing {
  /// How much [#read()] takes at once.
  private static final int PIECE = 1 << 16;

  private static final ByteBuffer NO_HEAD = ByteBuffer.allocate(0);

  private final Path path;
  private final HeldFile held;
  private final FileHandle handle;
  private final FileBytes bytes;

  /// How it is read as a stream.
  private Way streaming = Way.AWAITED;

  private OpenFile(Path path, HeldFile held, boolean appends) {
    this.path = path;
    this.held = held;
    this.handle = held.handle();
    this.bytes = new FileBytes(held, appends);
  }

  static OpenFile open(Way way, Path path, Set<OpenOption> options, int mode) throws IOException {
    boolean appends = options.contains(StandardOpenOption.APPEND);
    return open(way, Way.files().open(path, options, mode, FileInfo::new), appends);
  }

  static OpenFile openRegular(Way way, Path path) throws IOException {
    EventLoop home = way == Way.AWAITED ? Suspension.loopOrNull() : null;
    var opened = way.make(Way.files().open(path, OpenOptions.LOOKING, 0, FileInfo::new));
    if (!opened.info().isRegularFile()) {
      opened.file().close();
      throw new NotRegularFileException(path, opened.info().type());
    }
    return new OpenFile(opened.path(), new HeldFile(opened.file(), home), false);
  }

  static OpenFile open(Way way, FileCall<OpenedFile<FileInfo>> opening, boolean appends)
      throws IOException {
    EventLoop home = way == Way.AWAITED ? Suspension.loopOrNull() : null;
    OpenedFile<FileInfo> opened = way.make(opening);
    return new OpenFile(opened.path(), new HeldFile(opened.file(), home), appends);
  }

  /// A file that is opened that way, and read that way also as a stream.
  static OpenFile toRead(Way way, Path path) throws IOException {
    OpenFile file = open(way, path, OpenOptions.READING, 0);
    file.streaming = way;
    return file;
  }

  /// A file that was opened elsewhere, by a descriptor that is its own from now on. Calls without an offset go
  /// on where the last one ended that anybody made who shares the open file, as standard input and
  /// output are shared: so the place is the system's, and what a read brings that was cancelled is
  /// kept for the next one. `name` is what it is called.
  public static OpenFile adopt(int descriptor, Path name) {
    FileHandle handle = Way.files().adopt(descriptor, name.toString());
    return new OpenFile(name, new HeldFile(handle, Suspension.loopOrNull()), false);
  }

  /// Its path, as it was opened.
  public Path path() {
    return path;
  }

  /// The path at which the file really is, without a link on the way: also if it was moved since it was opened. The system may tell of one that was removed,
  /// by its last path and a word.
  public Path realPath() throws IOException {
    return realPath(Way.AWAITED);
  }

  /// Like [#realPath()], blocking the thread.
  public Path realPathNow() throws IOException {
    return realPath(Way.NOW);
  }

  private Path realPath(Way way) throws IOException {
    if (way == Way.AWAITED) {
      held.checkUsable();
    } else {
      held.checkNow();
    }
    Path own = handle.path();
    Path real = way.make(own == null ? Way.files().realpath(path) : Way.files().readlink(own));
    held.checkStillOpen(); // else the number may have been another's
    return real;
  }

  /// The system's number for it, for calls that Couv does not have. Valid while the file is open.
  public int descriptor() throws IOException {
    held.checkOpen();
    return handle.number();
  }

  // ---- reading

  /// Reads at least one byte from where the last read or write ended; -1 at the end of the file.
  @Override
  public int read(ByteBuffer into) throws IOException {
    return streaming == Way.NOW ? readNow(into) : bytes.read(into);
  }

  /// Like [#read(ByteBuffer)], blocking the thread.
  public int readNow(ByteBuffer into) throws IOException {
    bytes.checkIdle("readNow");
    UserBuffers.checkTarget(into);
    return bytes.readOn(Way.NOW, into);
  }

  /// Reads at least one byte from there on; -1 at the end of the file or behind it.
  public int read(ByteBuffer into, long offset) throws IOException {
    held.checkUsable();
    return bytes.read(Way.AWAITED, into, checked(offset));
  }

  /// Like [#read(ByteBuffer, long)], blocking the thread.
  public int readNow(ByteBuffer into, long offset) throws IOException {
    bytes.checkIdle("readNow");
    return bytes.read(Way.NOW, into, checked(offset));
  }

  /// Reads what comes next, up to 64 KiB, into a buffer of its own; null at the end of the file.
  @Override
  public @Nullable ByteBuffer read() throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    return read(piece) < 0 ? null : piece.flip();
  }

  /// Puts bytes back, for the next read without an offset.
  @Override
  public void unread(ByteBuffer back) throws IOException {
    held.checkUsable();
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
    bytes.checkIdle("writeNow");
    bytes.writeOn(Way.NOW, from);
  }

  /// Writes all bytes from there on; but a file that was opened with `APPEND` takes them at its end.
  public void write(ByteBuffer from, long offset) throws IOException {
    write(new ByteBuffer[] {from}, offset);
  }

  /// Writes all bytes of several buffers from there on, in order; at the end of a file that was opened with `APPEND`.
  public void write(ByteBuffer[] from, long offset) throws IOException {
    held.checkUsable();
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
    held.checkUsable();
    return 0;
  }

  // ---- about the file

  /// What the system knows about it now.
  public FileInfo info() throws IOException {
    return make(handle.stat(FileInfo::new));
  }

  /// Like [#info()], blocking the thread.
  public FileInfo infoNow() throws IOException {
    return now(handle.stat(FileInfo::new));
  }

  /// How many bytes it has now.
  public long size() throws IOException {
    return info().size();
  }

  /// Like [#size()], blocking the thread.
  public long sizeNow() throws IOException {
    return infoNow().size();
  }

  /// Cuts it off there, or makes it longer with a hole.
  public void resize(long size) throws IOException {
    make(handle.truncate(checked(size)));
  }

  /// Like [#resize(long)], blocking the thread.
  public void resizeNow(long size) throws IOException {
    now(handle.truncate(checked(size)));
  }

  /// Waits until everything written, and what is known about the file, is on the device.
  public void flush() throws IOException {
    make(handle.sync(false));
  }

  /// Like [#flush()], blocking the thread.
  public void flushNow() throws IOException {
    now(handle.sync(false));
  }

  /// Waits until the bytes that were written, and what is needed to find them, are on the device.
  public void flushData() throws IOException {
    make(handle.sync(true));
  }

  /// Like [#flushData()], blocking the thread.
  public void flushDataNow() throws IOException {
    now(handle.sync(true));
  }

  /// Sets its permissions.
  public void chmod(Set<PosixFilePermission> permissions) throws IOException {
    chmod(Permissions.bits(permissions));
  }

  /// Like [#chmod(Set)], blocking the thread.
  public void chmodNow(Set<PosixFilePermission> permissions) throws IOException {
    chmodNow(Permissions.bits(permissions));
  }

  /// Sets its permissions as C's number: `0644`. The bits above the nine are set-user, set-group and sticky.
  public void chmod(int mode) throws IOException {
    make(handle.chmod(Permissions.check(mode)));
  }

  /// Like [#chmod(int)], blocking the thread.
  public void chmodNow(int mode) throws IOException {
    now(handle.chmod(Permissions.check(mode)));
  }

  /// Sets its owner and group; -1 leaves one as it is.
  public void chown(long uid, long gid) throws IOException {
    make(handle.chown(Permissions.checkOwner(uid), Permissions.checkOwner(gid)));
  }

  /// Like [#chown(long, long)], blocking the thread.
  public void chownNow(long uid, long gid) throws IOException {
    now(handle.chown(Permissions.checkOwner(uid), Permissions.checkOwner(gid)));
  }

  /// Sets its times; null leaves one as it is.
  public void touch(@Nullable Instant accessed, @Nullable Instant modified) throws IOException {
    held.checkUsable();
    Suspension.pass("touch");
    touchAtOnce(accessed, modified);
  }

  /// Like [#touch(Instant, Instant)], blocking the thread.
  public void touchNow(@Nullable Instant accessed, @Nullable Instant modified) throws IOException {
    bytes.checkIdle("touchNow");
    touchAtOnce(accessed, modified);
  }

  private void touchAtOnce(@Nullable Instant accessed, @Nullable Instant modified)
      throws IOException {
    try {
      handle.touch(accessed, modified);
    } finally {
      Reference.reachabilityFence(held);
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

  /// Sends a part of the file to a stream, as [#sendTo(ByteStream, long, long)] does, and tells whenever the stream has
  /// more of it how much that is in all: so it is known also of one that was cancelled or failed.
  public long sendTo(ByteStream target, long offset, long length, LongConsumer sent)
      throws IOException {
    return sendTo(target, NO_HEAD, offset, length, sent);
  }

  /// Sends those bytes and behind them a part of the file, as [#sendTo(ByteStream, long, long, LongConsumer)] does: on a
  /// socket in the same packets, where that can be. What is told and returned is of the file; the buffer's position tells how
  /// much of the bytes before it went.
  public long sendTo(
      ByteStream target, ByteBuffer head, long offset, long length, LongConsumer sent)
      throws IOException {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(sent, "sent");
    UserBuffers.checkSources(head);
    held.checkUsable();
    checked(offset);
    checked(length);
    return new FileSending(held, bytes, target, head, offset, length, sent).send();
  }

  // ---- as a stream

  /// Nobody reads at another end: nothing to do.
  @Override
  public void shutdown() throws IOException {
    held.checkUsable();
  }

  /// Whether it is not closed.
  @Override
  public boolean isOpen() {
    return held.isOpen();
  }

  /// Whether it is closed.
  @Override
  public boolean isClosed() {
    return !isOpen();
  }

  /// Nothing is queued: a write returns when the system has the bytes.
  @Override
  public long pending() throws IOException {
    held.checkUsable();
    return 0;
  }

  /// Closes it. The descriptor stays the system's until a call that is inside it has ended.
  ///
  /// Some file systems, those on a network above all, tell only now that they could not keep what was
  /// written. This does not tell: call [#flush] first where that matters.
  @Override
  public void close() {
    held.close();
  }

  /// Its number, for a child process: for the runtime's own packages. From now on the place where calls
  /// without an offset go on is the system's own, which both move.
  public int share() throws IOException {
    held.checkUsable();
    bytes.share();
    return handle.number();
  }

  private <T extends @Nullable Object> T make(FileCall<T> call) throws IOException {
    held.checkUsable();
    return held.make(Way.AWAITED, call);
  }

  private <T extends @Nullable Object> T now(FileCall<T> call) throws IOException {
    bytes.checkIdle(call.toString());
    return held.make(Way.NOW, call);
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
