// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.Scratch;
import dev.couv.uv.Epoll;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.UvErrors;
import dev.couv.world.SharedEnd;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A descriptor that blocks, used without blocking.
///
/// libuv makes whatever it polls non-blocking. So it polls an `epoll` descriptor, one for each
/// direction, which is readable while this one is ready. Where there is no `epoll` the descriptor
/// itself is polled, and does not block any more.
final class PosixSharedEnd implements SharedEnd {
  private static final boolean HAS_EPOLL = Native.systemHas("epoll_create1");

  /// What a pipe that is ready for writing takes at once, on every system (`PIPE_BUF`).
  private static final int PIPE_ROOM = 4096;

  private final EventLoop loop;
  private final int descriptor;
  private final String name;

  /// Made when somebody first has to wait, else negative.
  private int reading = -1;

  private int writing = -1;

  /// Whether it turned out to be no socket.
  private boolean pipe;

  /// The descriptor is its own from now on.
  PosixSharedEnd(EventLoop loop, int descriptor, String name) {
    this.loop = loop;
    this.descriptor = descriptor;
    this.name = name;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    Scratch scratch = loop.scratch();
    int room = Math.min(into.remaining(), Scratch.BUFFER_SIZE);
    int count = (int) receive(scratch.bufferAddress(), room);
    if (count == UvErrors.UV_EAGAIN) {
      return 0;
    }
    if (Failures.check(count, "read", name) > 0) {
      into.put(into.position(), scratch.buffer(), 0, count).position(into.position() + count);
      return count;
    }
    return -1;
  }

  /// How many bytes, 0 at the end, or libuv's code.
  private long receive(long address, int room) {
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

  @Override
  public int write(ByteBuffer from) throws IOException {
    Scratch scratch = loop.scratch();
    int length = Math.min(from.remaining(), Scratch.BUFFER_SIZE);
    scratch.buffer().put(0, from, from.position(), length);
    int count = (int) send(scratch.bufferAddress(), length);
    if (count == UvErrors.UV_EAGAIN) {
      return 0;
    }
    from.position(from.position() + Failures.check(count, "write", name));
    return count;
  }

  /// How many bytes, or libuv's code.
  private long send(long address, int length) {
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

  @Override
  public int toPoll(boolean toWrite) throws IOException {
    if (!HAS_EPOLL) {
      return descriptor;
    }
    if (toWrite) {
      writing = writing < 0 ? direction(Epoll.EPOLLOUT) : writing;
      return writing;
    }
    reading = reading < 0 ? direction(Epoll.EPOLLIN) : reading;
    return reading;
  }

  @Override
  public boolean isPolledItself() {
    return !HAS_EPOLL;
  }

  private int direction(int events) throws IOException {
    int own = Failures.check(Epoll.epoll_create1(Epoll.EPOLL_CLOEXEC), "poll", name);
    boolean complete = false;
    long event = 0;
    try {
      event = NativeMemory.check(Memory.calloc(1, Epoll.EPOLL_EVENT_ROOM));
      Memory.putInt(event, events);
      Failures.check(Epoll.epoll_ctl(own, Epoll.EPOLL_CTL_ADD, descriptor, event), "poll", name);
      complete = true;
      return own;
    } finally {
      Memory.free(event);
      if (!complete) {
        Posix.close(own);
      }
    }
  }

  @Override
  public void close() {
    if (reading >= 0) {
      Posix.close(reading);
    }
    if (writing >= 0) {
      Posix.close(writing);
    }
    Posix.close(descriptor);
  }
}
