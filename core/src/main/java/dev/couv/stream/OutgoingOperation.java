// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.Failures;
import dev.couv.loop.RequestOperation;
import java.io.IOException;

/// A request in the direction of writing. While its coroutine awaits it the stream knows it, so that
/// closing the stream ends the await; there is one at a time, because writers take turns.
abstract class OutgoingOperation extends RequestOperation {
  final StreamHandle stream;

  OutgoingOperation(StreamHandle stream) {
    this.stream = stream;
  }

  /// Calls libuv. A negative code means that it refused.
  abstract int send(long request);

  @Override
  protected final int begin(long loop, long request) {
    int code = send(request);
    if (code >= 0) {
      stream.outgoing(this);
    }
    return code;
  }

  @Override
  protected void received() {
    stream.outgoing(null);
  }

  @Override
  public final void cancel() {
    stream.outgoing(null);
    stream.leftToDrain();
    super.cancel();
  }

  @Override
  protected void late(int lateStatus) {
    stream.drained();
  }

  /// Throws what became of it; `done` is what the stream was being, as in "written".
  final void finish(String call, String done) throws IOException {
    if (status() < 0 && !stream.isOpen()) {
      throw Failures.closedWhile(stream, done);
    }
    Failures.check(status(), call, stream);
  }
}
