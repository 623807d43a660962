// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Epoll;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvLoop;
import org.jspecify.annotations.Nullable;

/// What the loop waits for in the kernel: its sockets that are read, libuv as a whole, and the bell that other threads ring. On Linux; elsewhere,
/// and with `-Dcouv.poll=libuv`, libuv waits by itself.
///
/// ## Why not libuv alone
///
/// For each read libuv calls back twice, and for each turn it looks at the clock three times. Here a turn is one call of the system for all
/// sockets, and a read is one more, made where the bytes are to go. libuv gives its own descriptor to wait for, and says when it has something to
/// do that no descriptor tells: this is what it has for programs that wait by themselves (`uv_backend_fd`).
///
/// Most sockets are told of once when something comes, which spares the kernel to look at each a second time in the next turn: their owners know
/// what they have left there. The others are told of for as long as they have something to be read, as by libuv.
///
/// Confined to the loop, but for [#ring].
public final class EpollSet {
  private static final boolean IS_WANTED = !System.getProperty("couv.poll", "").equals("libuv");

  /// So many are told of in one turn; the others in the next.
  private static final int EVENTS = 256;

  /// One more, to tell the system what to wait for.
  private static final long EVENTS_SIZE = (EVENTS + 1) * Epoll.EVENT_SIZE;

  private static final long ASIDE = EVENTS * Epoll.EVENT_SIZE;

  /// Beside bytes, what a read that takes all of them does not see.
  private static final int ONCE = Epoll.EPOLLIN | Epoll.EPOLLRDHUP | Epoll.EPOLLPRI | Epoll.EPOLLET;

  // What blocks have in place of these is never negative.
  private static final long LIBUV = -1;
  private static final long BELL = -2;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final NativeLoop libuv;
  private final int set;
  private final long events;
  private int bell = -1;

  private EpollSet(NativeLoop libuv, int set) {
    this.libuv = libuv;
    this.set = set;
    this.events = NativeMemory.allocate(EVENTS_SIZE);
  }

  /// For that loop; null where the system has no such thing, or does not let us have it.
  static @Nullable EpollSet open(NativeLoop libuv) {
    if (!IS_WANTED || !Native.systemHas("epoll_create1")) {
      return null;
    }
    int set = Epoll.epoll_create1(Epoll.EPOLL_CLOEXEC);
    if (set == UvErrors.code("ENOSYS") || set == UvErrors.code("EPERM")) {
      return null;
    }
    Failures.checkOpening("epoll_create1", set);
    EpollSet opened = null;
    try {
      opened = new EpollSet(libuv, set);
      opened.begin();
      return opened;
    } catch (Throwable failed) {
      if (opened == null) {
        Posix.close(set);
      } else {
        opened.close();
      }
      throw failed;
    }
  }

  private void begin() {
    int made = Epoll.eventfd(0, Epoll.EFD_CLOEXEC | Epoll.EFD_NONBLOCK);
    Failures.checkOpening("eventfd", made);
    bell = made;
    // Nobody reads it: each ring is told of once.
    Failures.checkOpening("epoll_ctl", add(bell, Epoll.EPOLLIN | Epoll.EPOLLET, BELL));
    int backend = UvLoop.uv_backend_fd(libuv.address);
    Failures.checkOpening("epoll_ctl", add(backend, Epoll.EPOLLIN, LIBUV));
  }

  // ---- what is watched

  /// The owner of the handle is told whenever the descriptor has something to be read, or has ended, until it is
  /// [forgotten][#forget], which has to be before it is closed. A negative code if the system refuses.
  public int watch(int descriptor, long handle) {
    return watch(descriptor, Epoll.EPOLLIN, handle);
  }

  /// Likewise, but once for all that has come, and then when more does.
  public int watchOnce(int descriptor, long handle) {
    return watch(descriptor, ONCE, handle);
  }

  private int watch(int descriptor, int wanted, long handle) {
    int code = add(descriptor, wanted, Memory.getLong(handle));
    // To forget it had failed, or this was thrown out of before: it may have been told of since.
    return code == UvErrors.code("EEXIST") ? again(descriptor, wanted, handle) : code;
  }

  /// What is [watched once][#watchOnce], and was told of, is told of once more, if it still has something. A negative code if the system refuses.
  public int again(int descriptor, long handle) {
    return again(descriptor, ONCE, handle);
  }

  private int again(int descriptor, int wanted, long handle) {
    return control(Epoll.EPOLL_CTL_MOD, descriptor, wanted, Memory.getLong(handle));
  }

  private int add(int descriptor, int wanted, long data) {
    return control(Epoll.EPOLL_CTL_ADD, descriptor, wanted, data);
  }

  private int control(int operation, int descriptor, int wanted, long data) {
    Memory.putInt(events + ASIDE + Epoll.EVENT_EVENTS, wanted);
    Memory.putLong(events + ASIDE + Epoll.EVENT_DATA, data);
    return Epoll.epoll_ctl(set, operation, descriptor, events + ASIDE);
  }

  public void forget(int descriptor) {
    Epoll.epoll_ctl(set, Epoll.EPOLL_CTL_DEL, descriptor, events + ASIDE);
  }

  /// A negative code if libuv cannot wait for the descriptor, which would end the process: the kernel has one file watched by 500 sets at most
  /// that are in others, as libuv's is in this one.
  public int tryForLibuv(int descriptor) {
    int backend = UvLoop.uv_backend_fd(libuv.address);
    int code = Epoll.epoll_ctl(backend, Epoll.EPOLL_CTL_ADD, descriptor, events + ASIDE);
    if (code >= 0) {
      Epoll.epoll_ctl(backend, Epoll.EPOLL_CTL_DEL, descriptor, events + ASIDE);
    }
    return code;
  }

  // ---- turns

  /// Serves what is ready, or, if it may block, waits for what comes next; until that moment of `System.nanoTime` at the latest, if it is timed.
  void turn(boolean blocks, boolean timed, long deadline) {
    int patience = patience();
    int millis = patience == 0 || !blocks ? 0 : timed ? sooner(patience, deadline) : patience;
    int count = Epoll.epoll_wait(set, events, EVENTS, millis);
    if (count < 0 && count != UvErrors.UV_EINTR) {
      Failures.assertOk("epoll_wait", count);
    }
    boolean forLibuv = serve(count);
    if (forLibuv || patience == 0) {
      // Last, because it frees handles that events may be about; and so of a connection that breaks
      // its reader hears first.
      libuv.turn(false);
    }
  }

  /// For how long libuv lets wait, in milliseconds from now: -1 is for ever.
  private int patience() {
    int patience = UvLoop.uv_backend_timeout(libuv.address);
    if (patience > 0) { // by its clock, which stands still while it does not run
      UvLoop.uv_update_time(libuv.address);
      patience = UvLoop.uv_backend_timeout(libuv.address);
    }
    return patience;
  }

  /// Whole milliseconds, so that nothing is early.
  private static int sooner(int patience, long deadline) {
    long left = Math.ceilDiv(Math.max(0, deadline - System.nanoTime()), NANOS_PER_MILLI);
    return (int) Math.min(left, patience < 0 ? Integer.MAX_VALUE : patience);
  }

  /// Tells the owners of sockets. True if there is something for libuv.
  private boolean serve(int count) {
    boolean forLibuv = false;
    for (int i = 0; i < count; i++) {
      long event = events + i * Epoll.EVENT_SIZE;
      long data = Memory.getLong(event + Epoll.EVENT_DATA);
      if (data >= 0) {
        libuv.readable(data, Memory.getInt(event + Epoll.EVENT_EVENTS) != Epoll.EPOLLIN);
      } else {
        forLibuv |= data == LIBUV;
      }
    }
    return forLibuv;
  }

  /// Ends a wait, now or the next one. Any thread.
  void ring() {
    Epoll.eventfd_write(bell, 1);
  }

  // ---- the end

  long bytes() {
    return EVENTS_SIZE;
  }

  /// Nobody rings any more, and nothing is watched but libuv.
  void close() {
    if (bell >= 0) {
      Posix.close(bell);
    }
    Posix.close(set);
    NativeMemory.free(events, EVENTS_SIZE);
  }
}
