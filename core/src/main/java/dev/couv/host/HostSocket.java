// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.error.BusyException;
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
import dev.couv.world.SocketHandle;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A socket as what accepts and passes them needs to know it, whatever its kind.
abstract class HostSocket extends HostStream implements SocketHandle {
  private static final int NOW_WITH_MORE =
      PosixBytes.MSG_MORE | PosixBytes.MSG_DONTWAIT | PosixBytes.MSG_NOSIGNAL;

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

  /// By the system's own call: libuv's cannot say that more follows.
  @Override
  public final boolean writeNowWithMore(ByteBuffer from) throws IOException {
    Scratch scratch = loop().scratch();
    if (PosixBytes.MSG_MORE == 0 || Gather.prepare(scratch, from) == 0) {
      return writeNow(from);
    }
    long bytes = scratch.vectorAddress();
    long count = PosixBytes.send(ownNumber(), UvBuf.base(bytes), UvBuf.len(bytes), NOW_WITH_MORE);
    if (count < 0) {
      return writeNow(from); // which tells what is wrong, if it is no pipe
    }
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
