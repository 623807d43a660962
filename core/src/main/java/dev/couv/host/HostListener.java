// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EpollSet;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.TimerEntry;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvStream;
import dev.couv.world.Request;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A socket of libuv's that listens: connections that have come, and who waits for one.
///
/// libuv reports connections for as long as the listener is open, so there is nothing to start or
/// stop. A few that nobody waits for yet are taken at once; beyond that one is left with libuv, which
/// then leaves the others in the system's backlog.
///
/// When the process runs out of descriptors none is taken: who accepts is told once, and then waits
/// until there are some again, which is looked after now and then. No connection is lost by that, for as long as
/// others leave the reserve alone.
abstract class HostListener<S extends HostSocket> extends ObjectHandle {
  private static final int KEPT = 16;

  /// How long to wait before looking again whether there are descriptors.
  private static final long RETRY_NANOS = 20_000_000;

  private final ArrayDeque<S> arrived = new ArrayDeque<>(2);

  /// Whether libuv holds a connection that was not taken.
  private boolean held;

  /// A connection that has a descriptor of the reserve: nobody gets it before it has another, or those that live
  /// long would use the reserve up.
  private @Nullable S borrower;

  /// A failure to accept that nobody was told yet, or 0.
  private int failure;

  private final DescriptorReserve reserve;
  private final TimerEntry retry = TimerEntry.of(this::tellWhoWaits);

  HostListener(EventLoop loop, int handleType) {
    super(loop, handleType);
    this.reserve = new DescriptorReserve(loop.scratch());
  }

  /// Makes it a handle of libuv's, without a socket. A negative code if that refused: then there is nothing to close.
  abstract int init();

  /// Makes a descriptor its own. A negative code if libuv refused: then it is not.
  abstract int open(int descriptor);

  /// Sets what its connections then have without a call for each.
  int setDefaults() {
    return 0;
  }

  /// A stream that has neither a handle nor a socket.
  abstract S unopened();

  /// Listens at a socket that was passed to this process, through a descriptor of its own, and closes
  /// the stream that it came as. If that fails this is closed.
  final void takeOver(S passed, int backlog) throws IOException {
    passed.checkUsable();
    Failures.check(init(), "listen", this);
    try {
      Failures.checkSocket(openCopy(passed.address()), "listen", this);
      Failures.checkSocket(listen(backlog), "listen", this);
    } catch (Throwable failed) {
      close();
      throw failed;
    }
    passed.close();
  }

  /// With a socket that is bound. A negative code if that failed.
  final int listen(int backlog) {
    int code = setDefaults();
    if (code >= 0) {
      code = UvStream.uv_listen(address(), backlog, Callbacks.CONNECTION_CB);
    }
    EpollSet epoll = loop().epoll();
    // Others may listen at the same socket, too: so many that libuv cannot.
    if (code >= 0 && epoll != null) {
      int descriptor = SocketCalls.descriptor(loop().scratch(), address());
      code = descriptor < 0 ? descriptor : epoll.tryForLibuv(descriptor);
    }
    return code;
  }

  private int openCopy(long passed) {
    int descriptor = SocketCalls.descriptor(loop().scratch(), passed);
    int copy = descriptor < 0 ? descriptor : Posix.dup(descriptor);
    int code = copy < 0 ? copy : open(copy);
    if (code < 0 && copy >= 0) {
      Posix.close(copy);
    }
    return code;
  }

  /// Has libuv make its handle, with descriptors to spare.
  final int ready(Initialiser initialiser) {
    int code = open(initialiser);
    if (code >= 0) {
      reserve.openSpare(loop().scratch());
    }
    return code;
  }

  public final Request<S> accept() {
    return new AcceptOperation<>(this);
  }

  /// The connection that has waited longest, or null.
  final @Nullable S poll() {
    S next = arrived.poll();
    if ((held || borrower != null) && mayTake() && held) {
      held = false;
      take();
    }
    return next == null ? arrived.poll() : next;
  }

  /// Whether there are descriptors for more connections. If not, who accepts hears of it once, and
  /// gets the connection that is held when there are.
  private boolean mayTake() {
    if (borrower == null ? !reserve.isShort(loop().scratch(), address()) : repay(borrower)) {
      return true;
    }
    if (reserve.tell()) {
      failure = UvErrors.UV_EMFILE;
    }
    if (!retry.isQueued()) {
      loop().timers().add(retry, loop().clock() + RETRY_NANOS);
    }
    return false;
  }

  /// Gives the connection a descriptor that is not of the reserve, if there is one.
  private boolean repay(S stream) {
    int copy = reserve.copy(SocketCalls.descriptor(loop().scratch(), stream.address()));
    if (copy < 0) {
      return false;
    }
    S moved = opened(copy);
    if (moved == null) {
      Posix.close(copy);
      return false;
    }
    stream.close();
    borrower = null;
    arrived.add(moved);
    return true;
  }

  /// A stream with that descriptor; null if there is no memory for one. In the callback: nothing throws.
  private @Nullable S opened(int descriptor) {
    try {
      S stream = unopened();
      if (stream.init() < 0) {
        return null;
      }
      if (stream.open(descriptor) < 0) {
        stream.close();
        return null;
      }
      stream.connected();
      return stream;
    } catch (OutOfMemoryError exhausted) {
      return null;
    }
  }

  /// A failure nobody was told of, or 0.
  final int pollFailure() {
    int code = failure;
    failure = 0;
    return code;
  }

  /// An accept that was not taken: first in line for the next, if there can be one.
  final void putBack(S stream) {
    if (isOpen()) {
      arrived.addFirst(stream);
    } else {
      stream.close();
    }
  }

  /// A failure that was not told after all.
  final void putBackFailure(int code) {
    failure = code;
  }

  @Override
  protected final int startEvents() {
    return 0;
  }

  @Override
  protected final void onConnection(int status) {
    if (status == UvErrors.UV_EMFILE || status == UvErrors.UV_ENFILE) {
      reserve.exhausted();
      if (reserve.tell()) {
        failure = status;
      }
    } else if (status < 0) {
      failure = status;
    } else if ((awaited() == null && arrived.size() >= KEPT) || !mayTake()) {
      held = true;
    } else {
      take();
    }
    tellWhoWaits();
  }

  private void tellWhoWaits() {
    if (awaited() instanceof AcceptOperation<?> waiting && waiting.takeAtHand()) {
      complete();
    }
  }

  /// Takes the connection libuv has. If that fails, the failure is kept for who accepts
  /// next, and the connection left with libuv for who accepts after that.
  private void take() {
    S stream;
    int code;
    try {
      stream = unopened();
      code = stream.init();
    } catch (OutOfMemoryError exhausted) {
      failure = UvErrors.UV_ENOMEM;
      held = true; // libuv still has it: the next accept tries again
      return;
    }
    if (code >= 0) {
      code = UvStream.uv_accept(address(), stream.address());
      if (code >= 0) {
        stream.connected();
        if (reserve.lent(loop().scratch(), stream.address())) {
          borrower = stream;
          var _ = mayTake(); // or tells
        } else {
          arrived.add(stream);
        }
        return;
      }
      stream.close();
    }
    if (code != UvErrors.UV_EAGAIN) { // else libuv has dropped it itself, and goes on
      failure = code;
      held = true;
    }
  }

  @Override
  protected final void closing() {
    loop().timers().remove(retry);
    reserve.closeSpare();
    if (borrower != null) {
      borrower.close();
    }
    for (S stream; (stream = arrived.poll()) != null; ) {
      stream.close();
    }
  }

  @Override
  public abstract String toString();
}
