// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.stream.ByteStream;
import dev.couv.stream.NativeStream;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.PosixSocket;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPipe;
import dev.couv.uv.UvStream;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Sockets that came through a local one and that nobody has received yet. They come only if it was asked
/// for them: else a stream of bytes would hold as many descriptors as its other side likes.
///
/// They are taken from libuv in its read callback and nowhere else: `uv_accept` makes libuv watch the
/// socket for reading, and if nobody reads, the loop would spin. Owned by the stream until they are
/// received.
final class PassedSockets {
  private static final int KEPT = 64;

  private final LocalStream through;

  /// Made when one comes: most streams carry bytes only.
  private @Nullable ArrayDeque<NativeStream> waiting;

  /// A failure to take one, of which nobody was told yet, or 0.
  private int failure;

  private boolean asked;

  PassedSockets(LocalStream through) {
    this.through = through;
  }

  boolean isEmpty() {
    return failure == 0 && (waiting == null || waiting.isEmpty());
  }

  /// Whether one is here, or with libuv, because it could not be taken.
  boolean hasCome() {
    return !isEmpty() || UvPipe.uv_pipe_pending_count(through.nativeHandle()) > 0;
  }

  boolean isAsked() {
    return asked;
  }

  /// Whether they are to come from now on. Not through a pipe: what tells of them reads sockets only.
  void ask(long pipe, boolean on) {
    if (on == asked || (on && listening(through.eventLoop(), pipe) < 0)) {
      return;
    }
    asked = on;
    UvPipe.ipc(pipe, on);
    if (!on) {
      failure = 0;
      close();
    }
  }

  /// Whether a socket listens: 1 or 0, or a negative code if it is no socket. Only the system knows it of
  /// one that was passed.
  static int listening(EventLoop loop, long handle) {
    long descriptor = loop.scratch().argumentsAddress();
    long answer = descriptor + Long.BYTES;
    long size = answer + Long.BYTES;
    Memory.putInt(size, Integer.BYTES);
    int code = UvHandle.uv_fileno(handle, descriptor);
    if (code >= 0) {
      int socket = Memory.getInt(descriptor);
      code =
          PosixSocket.getsockopt(socket, Layouts.SOL_SOCKET, Layouts.SO_ACCEPTCONN, answer, size);
    }
    return code < 0 ? code : Memory.getInt(answer);
  }

  /// The one that has waited longest, or null.
  @Nullable ByteStream take() throws IOException {
    int code = failure;
    failure = 0;
    Failures.check(code, "receive", through);
    return waiting == null ? null : waiting.poll();
  }

  /// Takes what libuv has. In its read callback.
  void accept() {
    long pipe = through.nativeHandle();
    while (UvPipe.uv_pipe_pending_count(pipe) > 0) {
      int code = acceptNext(pipe);
      if (code < 0) {
        failure = code;
        return; // what is still there is taken with the next bytes, or closed with the stream
      }
    }
  }

  private int acceptNext(long pipe) {
    int type = UvPipe.uv_pipe_pending_type(pipe);
    EventLoop loop = through.eventLoop();
    try {
      if (type == UvHandle.UV_TCP) {
        return acceptNext(pipe, StreamKind.TCP, StreamKind.TCP.unopened(loop), true);
      }
      boolean known = type == UvHandle.UV_NAMED_PIPE;
      return acceptNext(pipe, StreamKind.LOCAL, StreamKind.LOCAL.unopened(loop), known);
    } catch (OutOfMemoryError exhausted) {
      return UvErrors.UV_ENOMEM;
    }
  }

  private <S extends NativeStream> int acceptNext(
      long pipe, StreamKind<S> kind, S socket, boolean known) {
    int code = kind.init(socket);
    if (code < 0) {
      return code;
    }
    code = UvStream.uv_accept(pipe, kind.address(socket));
    ArrayDeque<NativeStream> queue = waiting;
    if (code < 0 || !known || !asked || (queue != null && queue.size() >= KEPT)) {
      socket.close(); // and the descriptor with it
      return code;
    }
    if (queue == null) {
      queue = new ArrayDeque<>(2);
      waiting = queue;
    }
    kind.setDefaults(kind.address(socket)); // one that cannot have them is as good
    kind.connected(socket);
    queue.add(socket);
    return code;
  }

  void close() {
    ArrayDeque<NativeStream> left = waiting;
    waiting = null;
    if (left != null) {
      left.forEach(NativeStream::close);
    }
  }
}
