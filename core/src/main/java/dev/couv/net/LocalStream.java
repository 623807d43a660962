// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.OwnDescriptors;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.stream.Detached;
import dev.couv.stream.NativeStream;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPipe;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;

/// A connection over a local socket, or the end of a pipe. Besides bytes, sockets can be passed through
/// it to another process: [#send] and [#receive].
public final class LocalStream extends NativeStream {
  private final PassedSockets passed = new PassedSockets(this);
  private String name = "local socket";

  LocalStream(EventLoop loop) {
    super(loop, UvHandle.UV_NAMED_PIPE);
  }

  /// A stream that is not connected yet, on behalf of `call`.
  static LocalStream open(EventLoop loop, String call, String subject) throws IOException {
    LocalStream stream = new LocalStream(loop);
    int code = stream.init();
    if (code < 0) {
      throw Failures.ofSocket(code, call, subject);
    }
    return stream;
  }

  /// Two ends that are connected to each other, in this process. Does not wait.
  public static Pair pair() throws IOException {
    EventLoop loop = Suspension.loop("LocalStream.pair");
    long sockets = loop.scratch().argumentsAddress();
    int flag = UvPipe.UV_NONBLOCK_PIPE;
    Failures.check(
        UvPipe.uv_socketpair(Layouts.SOCK_STREAM, 0, sockets, flag, flag), "socketpair", "a pair");
    int first = Memory.getInt(sockets);
    int second = Memory.getInt(sockets + Layouts.UV_OS_SOCK_SIZE);
    LocalStream one;
    try {
      one = adopt(loop, first);
    } catch (Throwable failed) {
      Posix.close(second);
      throw failed;
    }
    try {
      return new Pair(one, adopt(loop, second));
    } catch (Throwable failed) {
      one.close();
      throw failed;
    }
  }

  /// A stream over a connected local socket or a pipe that this process has already, as a child to which
  /// its parent gave one. The descriptor is the stream's own from now on, also if this fails. Does not wait.
  ///
  /// @throws IllegalArgumentException if another stream has it already, on whatever loop; then it stays that
  ///     one's
  public static LocalStream open(int descriptor) throws IOException {
    EventLoop loop = Suspension.loop("LocalStream.open");
    OwnDescriptors.check(descriptor);
    LocalStream stream = adopt(loop, descriptor);
    stream.descriptor(); // from now on it is known to be this one's
    return stream;
  }

  /// A stream over a descriptor, which is its own from now on, also if that fails.
  static LocalStream adopt(EventLoop loop, int descriptor) throws IOException {
    LocalStream stream = null;
    try {
      stream = open(loop, "open", "a local socket");
      Failures.check(
          UvPipe.uv_pipe_open(stream.nativeHandle(), descriptor), "open", "a local socket");
      return stream;
    } catch (Throwable failed) {
      Posix.close(descriptor);
      if (stream != null) {
        stream.close();
      }
      throw failed;
    }
  }

  int init() {
    return open((loop, pipe) -> UvPipe.uv_pipe_init(loop, pipe, 0));
  }

  /// Only for the calls that set the stream up: no check whether it is open.
  long nativeHandle() {
    return uncheckedAddress();
  }

  /// The native half, to be passed or taken over.
  ObjectHandle objectHandle() {
    return handle();
  }

  void connectedTo(LocalName peer) {
    name = "local socket " + peer;
  }

  /// Sends the bytes, at least one, and a copy of a socket with the first of them: a TCP connection or a
  /// local one. The socket stays open here, for the caller to close.
  ///
  /// Cancelled while the socket is on its way, it and up to 64 KiB of the bytes still go; the position
  /// tells.
  ///
  /// @throws IllegalArgumentException if there are no bytes, or the stream is not a socket
  public void send(ByteBuffer from, ByteStream socket) throws IOException {
    Objects.requireNonNull(from, "from");
    switch (socket) {
      case TcpStream stream -> send(from, stream.objectHandle());
      case LocalStream stream -> send(from, stream.objectHandle());
      default ->
          throw new IllegalArgumentException(
              "only TCP and local sockets are passed, not " + socket);
    }
  }

  /// Likewise, with a socket that listens.
  public void send(ByteBuffer from, StreamListener<?> listener) throws IOException {
    switch (listener) {
      case TcpListener tcp -> send(from, tcp.handle());
      case LocalListener local -> send(from, local.handle());
    }
  }

  private void send(ByteBuffer from, ObjectHandle socket) throws IOException {
    address();
    socket.checkUsable();
    if (!from.hasRemaining()) {
      throw new IllegalArgumentException("a socket is passed with at least one byte");
    }
    writeWith(from, socket);
  }

  /// Waits for bytes as [#read] does, and tells which socket came with them, if one did. Of a socket that
  /// is there already, from a message that brought several or with bytes that [#read] took, it tells at
  /// once, with 0 bytes.
  ///
  /// From the first call on sockets are accepted here, as after [#acceptSockets]. Cancelled, it loses
  /// neither bytes nor sockets.
  public Received receive(ByteBuffer into) throws IOException {
    UserBuffers.checkTarget(into);
    acceptSockets(true);
    int bytes = 0;
    if (passed.isEmpty() || hasBytesAtHand()) {
      bytes = read(into);
    } else {
      Suspension.pass("receive");
    }
    ByteStream socket = passed.take();
    return new Received(bytes, socket);
  }

  /// Whether sockets that the other side passes are accepted, to wait for [#receive]. They are not,
  /// unless it is asked for: who only reads gets the bytes, and the system closes what came with them.
  /// To be asked for by who may read bytes before it first receives.
  ///
  /// Those that nobody receives are closed with the stream, or when they are not accepted any more; those
  /// that come when 64 wait, and those of other types, at once. Through a pipe none come.
  public void acceptSockets(boolean on) throws IOException {
    passed.ask(address(), on);
  }

  /// Await function: takes the connection off this loop, for a coroutine of another to adopt. Waits until
  /// what is being written has gone out; then this stream is closed, and the connection is not.
  /// Cancelled, it changes nothing.
  ///
  /// @throws dev.couv.error.BusyException if it is being read, or passed to another process
  /// @throws IllegalStateException if sockets came through it that nobody has received
  public Detached<LocalStream> detach() throws IOException {
    String known = name;
    PassedSockets before = passed; // which are none when it is adopted, but may have been asked for
    return detach((loop, descriptor) -> reopen(loop, descriptor, known, before.isAsked()));
  }

  @Override
  protected void checkDetachable() throws IOException {
    super.checkDetachable();
    if (passed.hasCome()) {
      throw new IllegalStateException(this + ": sockets came that nobody has received");
    }
  }

  private static LocalStream reopen(
      EventLoop loop, int descriptor, String name, boolean acceptSockets) throws IOException {
    LocalStream stream = open(loop, "adopt", name);
    boolean adopted = false;
    try {
      int code = UvPipe.uv_pipe_open(stream.nativeHandle(), descriptor);
      if (code < 0) {
        throw Failures.ofSocket(code, "adopt", name);
      }
      stream.name = name;
      stream.acceptSockets(acceptSockets);
      adopted = true;
      return stream;
    } finally {
      if (!adopted) {
        stream.close();
      }
    }
  }

  @Override
  protected void bytesArrived() {
    passed.accept();
  }

  @Override
  protected void closing() {
    passed.close();
  }

  /// This end's path; empty if it has none, as ends that connected, or an abstract name.
  public UnixDomainSocketAddress local() throws IOException {
    return LocalName.local(this, address(), loop().scratch()).address();
  }

  /// The other end's path; empty if it has none, as a peer that connected here, or an abstract name.
  public UnixDomainSocketAddress remote() throws IOException {
    return LocalName.remote(this, address(), loop().scratch()).address();
  }

  EventLoop eventLoop() {
    return loop();
  }

  @Override
  public String toString() {
    return name;
  }
}
