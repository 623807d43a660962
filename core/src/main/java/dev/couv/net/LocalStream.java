// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.stream.Detached;
import dev.couv.world.Handle;
import dev.couv.world.LocalHandle;
import dev.couv.world.LocalSockets;
import dev.couv.world.SocketHandle;
import dev.couv.world.TcpHandle;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A connection over a local socket, or the end of a pipe. Besides bytes, sockets can be passed through
/// it to another process: [#send] and [#receive].
@SuppressWarnings("exports") // what it extends has only members that are for users
public final class LocalStream extends SocketStream<LocalHandle> implements ByteStream {
  LocalStream(LocalHandle socket) {
    super(socket);
  }

  /// Two ends that are connected to each other, in this process. Does not wait.
  public static Pair pair() throws IOException {
    EventLoop loop = Suspension.loop("LocalStream.pair");
    LocalSockets.Ends ends = Suspension.world().local().pair(loop);
    return new Pair(new LocalStream(ends.first()), new LocalStream(ends.second()));
  }

  /// A stream over a connected local socket or a pipe that this process has already, as a child to which
  /// its parent gave one. The descriptor is the stream's own from now on, also if this fails. Does not wait.
  ///
  /// @throws IllegalArgumentException if another stream has it already, on whatever loop; then it stays that
  ///     one's
  public static LocalStream adopt(int descriptor) throws IOException {
    EventLoop loop = Suspension.loop("LocalStream.adopt");
    return new LocalStream(Suspension.world().local().adopt(loop, descriptor));
  }

  /// The older name of [#adopt(int)].
  ///
  /// @throws IllegalArgumentException if another stream has it already, on whatever loop; then it stays that
  ///     one's
  public static LocalStream open(int descriptor) throws IOException {
    return adopt(descriptor);
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
    Objects.requireNonNull(socket, "socket");
    if (!(socket instanceof SocketStream<?> passed)) {
      throw new IllegalArgumentException("only TCP and local sockets are passed, not " + socket);
    }
    send(from, passed.socket);
  }

  /// Sends the bytes, at least one, and a copy of a socket that listens with the first of them. The listener stays open
  /// here, for the caller to close.
  ///
  /// Cancelled while the socket is on its way, it and up to 64 KiB of the bytes still go; the position
  /// tells.
  ///
  /// @throws IllegalArgumentException if there are no bytes
  public void send(ByteBuffer from, StreamListener<?> listener) throws IOException {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(listener, "listener");
    if (!(listener instanceof SocketListener<?, ?, ?> passed)) {
      throw new IllegalArgumentException("no listener of a socket: " + listener);
    }
    send(from, passed.socket());
  }

  private void send(ByteBuffer from, Handle passed) throws IOException {
    socket.checkUsable();
    passed.checkUsable();
    if (!from.hasRemaining()) {
      throw new IllegalArgumentException("a socket is passed with at least one byte");
    }
    writeWith(socket, from, passed);
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
    if (socket.isSocketNext()) {
      Suspension.pass("receive");
    } else {
      bytes = read(into);
    }
    return new Received(bytes, stream(socket.takeSocket()));
  }

  private static @Nullable ByteStream stream(@Nullable SocketHandle socket) {
    return switch (socket) {
      case TcpHandle tcp -> new TcpStream(tcp);
      case LocalHandle local -> new LocalStream(local);
      case null -> null;
      default -> throw new AssertionError("a socket of no kind: " + socket);
    };
  }

  /// Whether sockets that the other side passes are accepted, to wait for [#receive]. They are not,
  /// unless it is asked for: who only reads gets the bytes, and the system closes what came with them.
  /// To be asked for by who may read bytes before it first receives.
  ///
  /// Those that nobody receives are closed with the stream, or when they are not accepted any more; those
  /// that come when 64 wait, and those of other types, at once. Through a pipe none come.
  public void acceptSockets(boolean on) throws IOException {
    socket.acceptSockets(on);
  }

  /// Await function: takes the connection off this loop, for a coroutine of another to adopt. Waits until
  /// what is being written has gone out; then this stream is closed, and the connection is not.
  /// Cancelled, it changes nothing.
  ///
  /// @throws dev.couv.error.BusyException if it is being read, or passed to another process
  /// @throws IllegalStateException if sockets came through it that nobody has received
  public Detached<LocalStream> detach() throws IOException {
    return new DetachedSocket<>(detach(socket, socket::detach), LocalStream::new);
  }

  /// The path of this end; empty if it has none, as ends that connected, or an abstract name.
  public UnixDomainSocketAddress local() throws IOException {
    return socket.local().address();
  }

  /// The path of the other end; empty if it has none, as a peer that connected here, or an abstract name.
  public UnixDomainSocketAddress remote() throws IOException {
    return socket.remote().address();
  }
}
