// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.uv.Epoll;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.UvPoll;
import dev.couv.world.PollHandle;
import java.io.IOException;

/// One direction of a descriptor that blocks and stays so, for libuv to wait for.
///
/// libuv makes whatever it polls non-blocking. So it polls an `epoll` descriptor, which is readable while the other is
/// ready. Where there is no `epoll` it polls a copy, and the descriptor does not block any more.
record PolledEnd(int polled, int events) {
  private static final boolean HAS_EPOLL = Native.systemHas("epoll_create1");

  static PolledEnd of(int descriptor, boolean writing, Object subject) throws IOException {
    if (!HAS_EPOLL) {
      int copy = Failures.check(Posix.dup(descriptor), "poll", subject);
      return new PolledEnd(copy, writing ? PollHandle.WRITABLE : PollHandle.READABLE);
    }
    int own = Failures.check(Epoll.epoll_create1(Epoll.EPOLL_CLOEXEC), "poll", subject);
    boolean complete = false;
    long event = 0;
    try {
      event = NativeMemory.check(Memory.calloc(1, Epoll.EVENT_SIZE));
      Memory.putInt(event, writing ? Epoll.EPOLLOUT : Epoll.EPOLLIN);
      int code = Epoll.epoll_ctl(own, Epoll.EPOLL_CTL_ADD, descriptor, event);
      Failures.check(code, "poll", subject);
      complete = true;
      return new PolledEnd(own, PollHandle.READABLE);
    } finally {
      Memory.free(event);
      if (!complete) {
        Posix.close(own);
      }
    }
  }

  int init(long loop, long handle) {
    return UvPoll.uv_poll_init(loop, handle, polled);
  }

  int start(long handle) {
    return UvPoll.uv_poll_start(handle, events, Callbacks.POLL_CB);
  }

  /// The handle is closed next: libuv is to have forgotten the number before it is another's.
  void close(long handle) {
    UvPoll.uv_poll_stop(handle);
    Posix.close(polled);
  }

  /// No handle was made of it.
  void close() {
    Posix.close(polled);
  }
}
