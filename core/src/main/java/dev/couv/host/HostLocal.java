// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Scratch;
import dev.couv.loop.Unread;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPipe;
import dev.couv.uv.UvStream;
import dev.couv.world.Delivery;
import dev.couv.world.Handle;
import dev.couv.world.LocalHandle;
import dev.couv.world.LocalListenHandle;
import dev.couv.world.LocalName;
import dev.couv.world.LooseStream;
import dev.couv.world.SocketHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A local socket of libuv's, or the end of a pipe.
final class HostLocal extends HostSocket implements LocalHandle {
  private static final String NAME = "local socket";

  private final PassedSockets passed = new PassedSockets(this);
  private String name;

  /// Whether it is none, but a pipe or a device, which the system's calls for sockets refuse.
  private boolean noSocket;

  HostLocal(EventLoop loop) {
    this(loop, NAME);
  }

  private HostLocal(EventLoop loop, String name) {
    super(loop, UvHandle.UV_NAMED_PIPE);
    this.name = name;
  }

  /// Over the descriptor of a pipe or a device, which is its own from now on, also if that fails; then `subject` did not open.
  static HostLocal adopt(EventLoop loop, int descriptor, String name, String subject)
      throws IOException {
    return adopt(loop, descriptor, name, subject, true);
  }

  private static HostLocal adopt(
      EventLoop loop, int descriptor, String name, String subject, boolean noSocket)
      throws IOException {
    HostLocal stream = null;
    try {
      stream = new HostLocal(loop, name);
      stream.noSocket = noSocket;
      Failures.check(stream.init(), "open", subject);
      Failures.check(stream.open(descriptor), "open", subject);
      return stream;
    } catch (Throwable failed) {
      Posix.close(descriptor);
      if (stream != null) {
        stream.close();
      }
      throw failed;
    }
  }

  /// Over the descriptor of a socket, which is its own from now on, also if that fails.
  static HostLocal adopt(EventLoop loop, int descriptor) throws IOException {
    return adopt(loop, descriptor, NAME, "a local socket", false);
  }

  @Override
  int init() {
    return open((loop, pipe) -> UvPipe.uv_pipe_init(loop, pipe, 0));
  }

  @Override
  int open(int descriptor) {
    return UvPipe.uv_pipe_open(address(), descriptor);
  }

  void connectedTo(LocalName peer) {
    name = NAME + " " + peer;
  }

  @Override
  public LocalName local() throws IOException {
    checkUsable();
    return LocalAddresses.local(this);
  }

  @Override
  public LocalName remote() throws IOException {
    checkUsable();
    return LocalAddresses.remote(this);
  }

  /// A read ends where a socket came with the bytes, whether or not somebody wants it.
  @Override
  boolean isEmptiedByShortReads() {
    return false;
  }

  /// Sockets come with bytes that libuv reads.
  @Override
  boolean isLeftToLibuv() {
    return noSocket || passed.isAsked();
  }

  @Override
  void isNoSocket() {
    noSocket = true;
    leaveToLibuv();
  }

  // ---- sockets that are passed

  @Override
  public void acceptSockets(boolean on) throws IOException {
    checkUsable();
    passed.ask(on);
  }

  @Override
  public boolean isSocketNext() {
    return !passed.isEmpty() && unread.size() == 0;
  }

  @Override
  public @Nullable SocketHandle takeSocket() throws IOException {
    return passed.take();
  }

  @Override
  public boolean passNow(ByteBuffer from, Handle socket) throws IOException {
    ObjectHandle known = known(socket);
    Scratch scratch = loop().scratch();
    int buffers = Gather.prepare(scratch, from);
    int code =
        PassOperation.passing(
            address(),
            () ->
                UvStream.uv_try_write2(
                    address(), scratch.vectorAddress(), buffers, known.address()));
    if (code == UvErrors.UV_EAGAIN) {
      return false;
    }
    Failures.check(code, "send", this);
    from.position(from.position() + code);
    return true;
  }

  @Override
  public Delivery pass(ByteBuffer from, Handle socket) {
    return new PassOperation(this, outgoing(), from, known(socket));
  }

  private static ObjectHandle known(Handle socket) {
    if (!(socket instanceof ObjectHandle known)) {
      throw new IllegalArgumentException(socket + " is not this system's");
    }
    return known;
  }

  @Override
  void bytesArrived() {
    passed.accept();
  }

  @Override
  protected void closing() {
    try {
      passed.close();
    } finally {
      super.closing();
    }
  }

  // ---- to another loop

  @Override
  public void checkDetachable() throws IOException {
    super.checkDetachable();
    if (passed.hasCome()) {
      throw new IllegalStateException(this + ": sockets came that nobody has received");
    }
  }

  @Override
  public LooseStream<LocalHandle> detach() throws IOException {
    String known = name;
    boolean asked = passed.isAsked();
    return loosen((loop, descriptor, left) -> reopen(loop, descriptor, left, known, asked));
  }

  private static HostLocal reopen(
      EventLoop loop, int descriptor, Unread left, String name, boolean acceptSockets)
      throws IOException {
    HostLocal stream = new HostLocal(loop, name);
    stream.takeUp(descriptor, left, name);
    stream.passed.ask(acceptSockets);
    return stream;
  }

  @Override
  public LocalListenHandle listen(int backlog) throws IOException {
    HostLocalListener listener = new HostLocalListener(loop(), LocalAddresses.local(this));
    listener.takeOver(this, backlog);
    return listener;
  }

  @Override
  public String toString() {
    return name;
  }
}
