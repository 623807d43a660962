// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.SpareThreads;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.UvErrors;
import dev.couv.world.FileSend;
import java.io.IOException;
import java.util.concurrent.Executor;

/// One call of the system that moves a part of a file to a socket.
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
/// It is a user of the file while a thread may be inside. Whoever leaves it waits for that, which is soon: the socket does
/// not block. Only if he cannot, the thread that is still inside closes the socket's number, which it must
/// not meet another file under.
final class SendfileCall extends BlockingCall<Long> implements FileSend {
  /// As many as libuv has for other calls on files.
  private static final int THREAD_COUNT = 4;

  private static final long IDLE_SECONDS = 10;

  private static final Executor THREADS =
      SpareThreads.of(
          THREAD_COUNT, IDLE_SECONDS, Thread.ofPlatform().daemon().name("couv-sendfile-", 1));

  private final Descriptor file;
  private final Object receiver;
  private final int socket;
  private final long offset;
  private final long length;

  SendfileCall(Descriptor file, int socket, Object receiver, long offset, long length) {
    super(THREADS, "sendfile", file, file, null);
    this.file = file;
    this.receiver = receiver;
    this.socket = socket;
    this.offset = offset;
    this.length = length;
  }

  @Override
  Long make() throws IOException {
    long count = sendfile();
    if (count >= 0) {
      return count;
    }
    if (count == UvErrors.code("EINVAL") || count == UvErrors.code("ENOSYS")) {
      return UNABLE; // not every file system can, those of the kernel's own above all
    }
    if (count == UvErrors.UV_EAGAIN) {
      return FULL;
    }
    throw Failures.of((int) count, "sendfile", file + " -> " + receiver);
  }

  private long sendfile() {
    long at = Memory.malloc(Long.BYTES);
    if (at == 0) {
      return UvErrors.code("ENOMEM");
    }
    try {
      Memory.putLong(at, offset);
      return PosixBytes.sendfile(socket, file.number, at, length);
    } finally {
      Memory.free(at);
    }
  }

  @Override
  public boolean mustLand() {
    return true;
  }

  @Override
  public long sent() {
    Long count = valueOrNull();
    return count == null ? 0 : Math.max(0, count);
  }

  @Override
  public boolean keepsSocket() {
    return abandon();
  }

  @Override
  void abandoned() {
    Posix.close(socket);
  }
}
