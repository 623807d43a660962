// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.RequestOperation;
import dev.couv.world.Delivery;
import java.io.IOException;

/// A request in the direction of writing. While its coroutine awaits it the stream knows it, so that
/// closing the stream ends the await.
abstract class OutgoingOperation extends RequestOperation implements Delivery {
  final ObjectHandle stream;
  private final Outgoing direction;

  OutgoingOperation(ObjectHandle stream, Outgoing direction) {
    this.stream = stream;
    this.direction = direction;
  }

  /// Calls libuv. A negative code means that it refused.
  abstract int send(long request);

  @Override
  protected final int begin(long loop, long request) {
    int code = send(request);
    if (code >= 0) {
      direction.await(this);
    }
    return code;
  }

  @Override
  protected void received() {
    written(status());
    direction.await(null);
  }

  @Override
  public final void cancel() {
    direction.leave();
    super.cancel();
  }

  @Override
  protected void late(int lateStatus) {
    written(lateStatus);
    direction.drained();
  }

  private void written(int code) {
    if (stream instanceof ReadHandle reads) {
      reads.written(code);
    }
  }

  /// Throws what became of it; `done` is what the stream was being, as in "written".
  final void check(String call, String done) throws IOException {
    if (status() < 0 && !stream.isOpen()) {
      throw Failures.closedWhile(stream, done);
    }
    Failures.check(status(), call, stream);
  }
}
