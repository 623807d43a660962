// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.error.BusyException;
import dev.couv.loop.EpollSet;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Scratch;
import dev.couv.loop.Undo;
import dev.couv.loop.Unread;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.PosixSocket;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.world.SocketHandle;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A socket as what accepts and passes them needs to know it, whatever its kind.
///
/// Where the loop waits in the kernel by itself ([EpollSet]), the socket is read and written by the system's own calls: libuv waits for
/// what the kernel did not take at once, and for everything else.
abstract class HostSocket extends HostStream implements SocketHandle {
  private static final int NOW = PosixBytes.MSG_DONTWAIT | PosixBytes.MSG_NOSIGNAL;
  private static final int NOW_WITH_MORE = PosixBytes.MSG_MORE | NOW;

  /// Its descriptor, if it was asked for; else negative.
  private int known = -1;

  /// What tells of what is to be read, if it is not libuv.
  private @Nullable EpollSet watching;

  /// Whether it was told of something that may be left in the kernel, and nobody tells of that again unless he is asked.
  private boolean ripe;

  HostSocket(EventLoop loop, int handleType) {
    super(loop, handleType);
  }

  /// Has libuv make its handle, without a socket. A negative code if that refused: then there is nothing to close.
  abstract int init();

  /// Makes a descriptor its own. A negative code if libuv refused: then it is not.
  abstract int open(int descriptor);

  /// It has the socket of a connection from now on. In the callback: nothing throws.
  void connected() {}

  /// Sets what is on unless told otherwise. A connection that cannot have it is as good.
  void setDefaults() {}

  /// Such a socket does not block.
  @Override
  public final int number() throws IOException {
    return ownNumber();
  }

  /// Libuv's code if nobody knows it.
  private int number(EventLoop loop) {
    if (known < 0) {
      known = SocketCalls.descriptor(loop.scratch(), address());
    }
    return known;
  }

  // ---- reading

  /// Whether a read that does not fill its buffer has emptied it, unless more than bytes were told of. Then it is told of once: what is left
  /// is known here.
  abstract boolean isEmptiedByShortReads();

  /// Whether the system's calls for sockets are not for it, as it is now.
  boolean isLeftToLibuv() {
    return false;
  }

  @Override
  protected final int startEvents() {
    EpollSet epoll = isLeftToLibuv() ? null : loop().epoll();
    if (epoll == null) {
      return super.startEvents();
    }
    if (watching != null) {
      return ripe ? askAgain(watching) : 0;
    }
    int number = number(loop());
    int code = number < 0 ? number : watch(epoll, number);
    watching = code < 0 ? null : epoll;
    return code;
  }

  private int watch(EpollSet epoll, int number) {
    return isEmptiedByShortReads()
        ? epoll.watchOnce(number, address())
        : epoll.watch(number, address());
  }

  private int askAgain(EpollSet asked) {
    int code = asked.again(known, address());
    ripe = code < 0;
    return code;
  }

  /// What is told of once stays watched.
  @Override
  protected final void stopEvents() {
    boolean stays = watching != null && isEmptiedByShortReads();
    if (!stays && !forget()) {
      super.stopEvents();
    }
  }

  /// Has nobody told of it any more. False if it was not watched.
  private boolean forget() {
    EpollSet before = watching;
    if (before == null) {
      return false;
    }
    before.forget(known);
    watching = null;
    ripe = false;
    return true;
  }

  /// [#isLeftToLibuv] from now on: libuv goes on where it was watched.
  final void leaveToLibuv() {
    if (forget()) {
      int code = super.startEvents();
      if (code < 0) {
        failed(code);
      }
    }
  }

  /// Reads as libuv would, and tells what it would tell.
  @Override
  protected final void onReadable(boolean more) {
    EpollSet told = watching;
    if (told == null) {
      return; // it was told of before it was forgotten
    }
    if (!isEmptiedByShortReads()) {
      receive(more);
      return;
    }
    ripe = true;
    try {
      if (awaited() != null) {
        receive(more);
      }
    } finally {
      if (ripe && awaited() != null) {
        askAgain(told); // he could not be told yet
      } else if (ripe) {
        stopIdle(); // whoever reads next asks
      }
    }
  }

  private void receive(boolean more) {
    long buffer = loop().scratch().vectorAddress();
    onAlloc(buffer);
    long room = UvBuf.len(buffer);
    if (room == 0) {
      onRead(UvErrors.UV_ENOBUFS);
      return;
    }
    long count = PosixBytes.recv(known, UvBuf.base(buffer), room, PosixBytes.MSG_DONTWAIT);
    // A read may stop early where more was told of: at urgent bytes, at once if a signal comes.
    if (!more && (count == UvErrors.UV_EAGAIN || (count > 0 && count < room))) {
      ripe = false;
    }
    if (count == UvErrors.UV_ENOTSOCK) {
      onRead(0);
      isNoSocket();
    } else {
      onRead(count == 0 ? UvErrors.UV_EOF : count == UvErrors.UV_EAGAIN ? 0 : count);
    }
  }

  /// What it was thought to be: a pipe for example.
  void isNoSocket() {
    failed(UvErrors.UV_ENOTSOCK);
  }

  @Override
  protected void closing() {
    forget(); // before libuv closes the descriptor: a copy of it may live on
    super.closing();
  }

  // ---- writing

  /// One buffer by the system's own call, unless libuv has something to write before.
  @Override
  final int writeNow(long vector, int buffers) {
    boolean own = buffers == 1 && loop().epoll() != null && !isLeftToLibuv() && !isQueueing();
    if (!own) {
      return super.writeNow(vector, buffers);
    }
    long count = PosixBytes.send(number(loop()), UvBuf.base(vector), UvBuf.len(vector), NOW);
    if (count == UvErrors.UV_ENOTSOCK) {
      return super.writeNow(vector, buffers);
    }
    return count == UvErrors.UV_ENOBUFS ? UvErrors.UV_EAGAIN : (int) count;
  }

  /// By the system's own call: libuv's cannot say that more follows.
  @Override
  public final boolean writeNowWithMore(ByteBuffer from) throws IOException {
    Scratch scratch = loop().scratch();
    if (PosixBytes.MSG_MORE == 0 || Gather.prepare(scratch, from) == 0) {
      return writeNow(from);
    }
    long bytes = scratch.vectorAddress();
    long count = PosixBytes.send(ownNumber(), UvBuf.base(bytes), UvBuf.len(bytes), NOW_WITH_MORE);
    if (count == UvErrors.UV_ENOTSOCK
        || count == UvErrors.UV_EAGAIN
        || count == UvErrors.UV_ENOBUFS) {
      return writeNow(from);
    }
    written((int) count);
    Failures.check((int) count, "write", this);
    from.position(from.position() + (int) count);
    return !from.hasRemaining();
  }

  @Override
  public final boolean isListening() throws IOException {
    checkUsable();
    return listening() > 0;
  }

  /// Whether it listens: 1 or 0, or a negative code if it is no socket. Only the system knows it of
  /// one that was passed.
  final int listening() {
    int code = SocketCalls.descriptor(loop().scratch(), address());
    long answer = loop().scratch().argumentsAddress();
    long size = answer + Long.BYTES;
    Memory.putInt(size, Integer.BYTES);
    if (code >= 0) {
      code = PosixSocket.getsockopt(code, Layouts.SOL_SOCKET, Layouts.SO_ACCEPTCONN, answer, size);
    }
    return code < 0 ? code : Memory.getInt(answer);
  }

  @Override
  public void checkDetachable() throws IOException {
    checkUsable();
    if (isPinned()) {
      throw new BusyException(this + " is on its way to another process");
    }
  }

  /// Takes the socket off the loop, and closes this.
  final <H extends StreamHandle> LooseSocket<H> loosen(LooseSocket.Reopening<H> reopening)
      throws IOException {
    int copy = duplicate(); // libuv closes its own
    Unread kept = new Unread();
    kept.takeUp(unread);
    LooseSocket<H> loose = new LooseSocket<>(toString(), copy, kept, reopening);
    close();
    return loose;
  }

  /// Takes up where another left off: the socket is in this one from now on. If that fails this is closed, and the socket
  /// still the caller's.
  final void takeUp(int descriptor, Unread left, String name) throws IOException {
    Failures.checkSocket(init(), "adopt", name);
    Undo.unless(() -> Failures.checkSocket(open(descriptor), "adopt", name), this::close);
    unread.takeUp(left);
  }
}
