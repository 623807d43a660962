// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.poll.Poll;
import dev.couv.poll.PollEvent;
import dev.couv.poll.Readiness;
import dev.couv.uv.Epoll;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A descriptor that blocks, used without blocking.
///
/// libuv makes whatever it polls non-blocking. So it polls an `epoll` descriptor, one for each
/// direction, which is readable while this one is ready. Where there is no `epoll` the descriptor
/// itself is polled, and does not block any more.
final class SharedEnd implements AutoCloseable {
  /// What a pipe that is ready for writing takes at once, on every system (`PIPE_BUF`).
  private static final int PIPE_ROOM = 4096;

  private final int descriptor;
  private final String name;

  /// Made when somebody first has to wait.
  private @Nullable Direction reading;

  private @Nullable Direction writing;
  private boolean open = true;

  /// Whether it turned out to be no socket.
  private boolean pipe;

  private SharedEnd(int descriptor, String name) {
    this.descriptor = descriptor;
    this.name = name;
  }

  private record Direction(PollEvent event, int own) {}

  /// The descriptor stays the caller's.
  static SharedEnd open(int descriptor, String name) throws IOException {
    return new SharedEnd(Failures.check(Posix.dup(descriptor), "open", name), name);
  }

  boolean isOpen() {
    return open;
  }

  /// How many bytes, 0 at the end, or libuv's code.
  long receive(long address, int room) {
    if (!pipe) {
      long count = PosixBytes.recv(descriptor, address, room, PosixBytes.MSG_DONTWAIT);
      if (count != UvErrors.UV_ENOTSOCK) {
        return count;
      }
      pipe = true;
    }
    return PosixBytes.isReady(descriptor, PosixBytes.POLLIN)
        ? PosixBytes.read(descriptor, address, room)
        : UvErrors.UV_EAGAIN;
  }

  /// How many bytes, or libuv's code.
  long send(long address, int length) {
    if (!pipe) {
      int flags = PosixBytes.MSG_DONTWAIT | PosixBytes.MSG_NOSIGNAL;
      long count = PosixBytes.send(descriptor, address, length, flags);
      if (count != UvErrors.UV_ENOTSOCK) {
        return count;
      }
      pipe = true;
    }
    return PosixBytes.isReady(descriptor, PosixBytes.POLLOUT)
        ? PosixBytes.write(descriptor, address, Math.min(length, PIPE_ROOM))
        : UvErrors.UV_EAGAIN;
  }

  PollEvent readable() throws IOException {
    return readingEnd().event;
  }

  PollEvent writable() throws IOException {
    return writingEnd().event;
  }

  private Direction readingEnd() throws IOException {
    Direction direction = reading;
    if (direction == null) {
      direction = direction(Epoll.EPOLLIN, Readiness.READABLE);
      reading = direction;
    }
    return direction;
  }

  private Direction writingEnd() throws IOException {
    Direction direction = writing;
    if (direction == null) {
      direction = direction(Epoll.EPOLLOUT, Readiness.WRITABLE);
      writing = direction;
    }
    return direction;
  }

  private Direction direction(int events, Readiness direct) throws IOException {
    if (!Native.systemHas("epoll_create1")) {
      return new Direction(Poll.on(descriptor, direct), -1);
    }
    int own = Failures.check(Epoll.epoll_create1(Epoll.EPOLL_CLOEXEC), "poll", name);
    boolean complete = false;
    long event = 0;
    try {
      event = NativeMemory.check(Memory.calloc(1, Epoll.EPOLL_EVENT_ROOM));
      Memory.putInt(event, events);
      Failures.check(Epoll.epoll_ctl(own, Epoll.EPOLL_CTL_ADD, descriptor, event), "poll", name);
      Direction made = new Direction(Poll.on(own, Readiness.READABLE), own);
      complete = true;
      return made;
    } finally {
      Memory.free(event);
      if (!complete) {
        Posix.close(own);
      }
    }
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      try {
        close(reading);
        close(writing);
      } finally {
        Posix.close(descriptor);
      }
    }
  }

  private static void close(@Nullable Direction direction) {
    if (direction != null) {
      try {
        direction.event.close();
      } finally {
        if (direction.own >= 0) {
          Posix.close(direction.own);
        }
      }
    }
  }
}
