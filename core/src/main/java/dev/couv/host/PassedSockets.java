// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
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

  private final HostLocal through;

  /// Made when one comes: most streams carry bytes only.
  private @Nullable ArrayDeque<HostSocket> waiting;

  /// A failure to take one, of which nobody was told yet, or 0.
  private int failure;

  private boolean asked;

  PassedSockets(HostLocal through) {
    this.through = through;
  }

  boolean isEmpty() {
    return failure == 0 && (waiting == null || waiting.isEmpty());
  }

  /// Whether one is here, or with libuv, because it could not be taken.
  boolean hasCome() {
    return !isEmpty() || UvPipe.uv_pipe_pending_count(through.address()) > 0;
  }

  boolean isAsked() {
    return asked;
  }

  /// Whether they are to come from now on. Not through a pipe: what tells of them reads sockets only.
  void ask(boolean on) {
    if (on == asked || (on && through.listening() < 0)) {
      return;
    }
    asked = on;
    UvPipe.ipc(through.address(), on);
    if (on) {
      through.leaveToLibuv();
    } else {
      failure = 0;
      close();
    }
  }

  /// The one that has waited longest, or null.
  @Nullable HostSocket take() throws IOException {
    int code = failure;
    failure = 0;
    Failures.check(code, "receive", through);
    return waiting == null ? null : waiting.poll();
  }

  /// Takes what libuv has. In its read callback.
  void accept() {
    long pipe = through.address();
    while (UvPipe.uv_pipe_pending_count(pipe) > 0) {
      int code;
      try {
        code = acceptNext(pipe);
      } catch (OutOfMemoryError exhausted) {
        code = UvErrors.UV_ENOMEM;
      }
      if (code < 0) {
        failure = code;
        return; // what is still there is taken with the next bytes, or closed with the stream
      }
    }
  }

  private int acceptNext(long pipe) {
    int type = UvPipe.uv_pipe_pending_type(pipe);
    EventLoop loop = through.loop();
    HostSocket socket = type == UvHandle.UV_TCP ? new HostTcp(loop) : new HostLocal(loop);
    int code = socket.init();
    if (code < 0) {
      return code;
    }
    code = UvStream.uv_accept(pipe, socket.address());
    boolean known = type == UvHandle.UV_TCP || type == UvHandle.UV_NAMED_PIPE;
    ArrayDeque<HostSocket> queue = waiting;
    if (code < 0 || !known || !asked || (queue != null && queue.size() >= KEPT)) {
      socket.close(); // and the descriptor with it
      return code;
    }
    if (queue == null) {
      queue = new ArrayDeque<>(2);
      waiting = queue;
    }
    socket.setDefaults();
    socket.connected();
    queue.add(socket);
    return code;
  }

  void close() {
    ArrayDeque<HostSocket> left = waiting;
    waiting = null;
    if (left != null) {
      left.forEach(HostSocket::close);
    }
  }
}
