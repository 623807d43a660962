// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;

/// One call of the system that moves a part of a file to a socket, on another thread.
///
/// It is a user of the file from its making on. Whoever made it leaves it in the end, and then the file and the
/// socket's number are given back: by him, or by the thread that is still inside, which must not meet
/// another file under a number of its own.
final class SendfileCall {
  private enum Stage {
    WAITING,
    INSIDE,
    /// Nobody waits for the thread that is inside.
    LEFT,
    OVER
  }

  private final OpenFile file;
  private final int socket;
  private final int source;
  private final long offset;
  private final long length;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);
  private final FutureTask<Long> result = new FutureTask<>(this::call);

  SendfileCall(OpenFile file, int socket, long offset, long length) throws IOException {
    this.file = file;
    this.socket = socket;
    this.offset = offset;
    this.length = length;
    source = file.use();
  }

  /// The first to come makes it. One that comes later, after an impatient one, waits for its end.
  Long runOrWait() throws Exception {
    result.run();
    return result.get();
  }

  private long call() {
    if (!stage.compareAndSet(Stage.WAITING, Stage.INSIDE)) {
      return 0; // there is nobody to make it for
    }
    try {
      return sendfile();
    } finally {
      if (!stage.compareAndSet(Stage.INSIDE, Stage.OVER)) {
        Posix.close(socket);
        file.release();
      }
    }
  }

  private long sendfile() {
    long at = Memory.malloc(Long.BYTES);
    if (at == 0) {
      return UvErrors.code("ENOMEM");
    }
    try {
      Memory.putLong(at, offset);
      return PosixBytes.sendfile(socket, source, at, length);
    } finally {
      Memory.free(at);
    }
  }

  boolean isDone() {
    return result.isDone();
  }

  /// How many bytes went, or the system's code.
  long resultNow() {
    return result.resultNow();
  }

  /// The last that its maker does. If no thread has begun it, none will. Whether one is still inside, and will close
  /// the socket's number.
  boolean leave() {
    if (!stage.compareAndSet(Stage.WAITING, Stage.OVER)
        && stage.compareAndSet(Stage.INSIDE, Stage.LEFT)) {
      return true;
    }
    file.release();
    return false;
  }
}
