// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.UvErrors;
import dev.couv.wire.FileSource;
import dev.couv.wire.FileWriting;
import dev.couv.wire.NativeStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A part of a file on its way to a stream: inside the kernel if that is a socket, else through this
/// process.
///
/// ## Not by libuv's call
///
/// `uv_fs_sendfile` asks for a copy from file to file first. Of a socket the kernel refuses that, and libuv
/// does not try the right call then, but copies through a buffer of its own; where the socket is full it waits for
/// room, on one of its few threads, for as long as the peer does not read (1.44.2, and today). So this makes
/// the system call itself. It may wait for the disk, therefore on threads of its own.
///
/// ## Ownership
///
/// The socket's number is a copy that the stream closes when this has returned; of the file's number this is a
/// user. Whoever is cancelled, or closes one of the two, waits until no thread is inside the call, which
/// is soon: the socket does not block. So what had been sent then is known. Only a loop that must end at once does
/// not wait: then the thread gives both numbers back.
final class FileSending implements FileSource {
  /// What one call moves at most: a cancellation waits for it.
  private static final long SENT_AT_ONCE = 4 << 20;

  /// What goes the ordinary way while the socket is full.
  private static final int PIECE = 1 << 14;

  /// As many as libuv has for other calls on files.
  private static final int THREAD_COUNT = 4;

  private static final long IDLE_SECONDS = 10;

  private static final ExecutorService THREADS = threads();

  private final OpenFile file;
  private final ByteStream target;
  private final LongConsumer told;
  private long offset;
  private long left;
  private long sent;

  /// Whether the kernel can do it, of this file.
  private boolean inside;

  /// Whether a thread was left inside the call.
  private boolean kept;

  private FileSending(
      OpenFile file, ByteStream target, long offset, long length, LongConsumer told) {
    this.file = file;
    this.target = target;
    this.offset = offset;
    this.left = length;
    this.told = told;
    // A call that may last for ever must not have the socket.
    this.inside = PosixBytes.HAS_SENDFILE && file.isRegular();
  }

  private static ExecutorService threads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREAD_COUNT,
            THREAD_COUNT,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("couv-sendfile-", 1).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  static long send(OpenFile file, ByteStream target, long offset, long length, LongConsumer told)
      throws IOException {
    FileSending sending = new FileSending(file, target, offset, length, told);
    if (target instanceof NativeStream stream) {
      FileWriting.writeFrom(stream, sending);
    } else {
      sending.sendThrough();
    }
    return sending.sent;
  }

  private void sendThrough() throws IOException {
    for (ByteBuffer piece; (piece = piece()) != null; ) {
      try {
        target.write(piece);
      } finally {
        taken(piece.position());
      }
    }
  }

  @Override
  public long send(int socket) throws IOException {
    if (!inside || left == 0) {
      return inside ? 0 : FULL;
    }
    Suspension.pass("sendTo");
    SendfileCall call = new SendfileCall(file, socket, offset, Math.min(left, SENT_AT_ONCE));
    Landed landed;
    try {
      landed = land(call);
    } finally {
      kept = call.leave();
    }
    taken(landed.count());
    if (landed.leaving() != null) {
      throw landed.leaving();
    }
    file.checkStillOpen();
    return answer(landed.count());
  }

  private long answer(long count) throws IOException {
    if (count >= 0) {
      return count;
    }
    if (count == UvErrors.code("EINVAL") || count == UvErrors.code("ENOSYS")) {
      inside = false; // not every file system can, those of the kernel's own above all
      return FULL;
    }
    if (count == UvErrors.UV_EAGAIN) {
      return FULL;
    }
    throw Failures.of((int) count, "sendfile", file + " -> " + target);
  }

  /// What became of a call, and why its caller leaves, if it was told to meanwhile.
  private record Landed(long count, @Nullable Error leaving) {}

  /// Waits until the call has ended, whoever cancels or resumes meanwhile; but not if the loop has no time
  /// for protected stretches any more.
  private static Landed land(SendfileCall call) throws IOException {
    Error leaving = null;
    while (!call.isDone()) {
      try {
        Coroutine.protect(() -> Suspension.offload(THREADS, "sendTo", call::runOrWait));
      } catch (Resumed impatient) {
        leaving = impatient;
      } catch (Cancelled told) {
        leaving = told;
        if (!call.isDone()) {
          return new Landed(0, told);
        }
      } catch (IOException | RuntimeException | Error failed) {
        throw failed;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    return new Landed(call.resultNow(), leaving);
  }

  @Override
  public boolean keepsSocket() {
    return kept;
  }

  @Override
  public @Nullable ByteBuffer piece() throws IOException {
    if (left == 0) {
      return null;
    }
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(left, PIECE));
    return file.read(piece, offset) < 0 ? null : piece.flip();
  }

  @Override
  public void taken(long count) {
    if (count > 0) {
      offset += count;
      left -= count;
      sent += count;
      told.accept(sent);
    }
  }

  @Override
  public void await(Operation room) throws IOException {
    file.awaitElsewhere(room);
  }
}
