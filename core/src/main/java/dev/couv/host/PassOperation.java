// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.ObjectHandle;
import dev.couv.uv.UvPipe;
import dev.couv.uv.UvStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntSupplier;

/// Queues bytes and a handle that goes with them, and waits until both are on their way. Cancelled,
/// they still go. The handle is pinned for as long: its owner may close it meanwhile. A stream that is
/// passed through itself is not: closing it ends the request, and must not wait for that.
final class PassOperation extends WriteOperation {
  private final ObjectHandle passed;

  PassOperation(ObjectHandle stream, Outgoing direction, ByteBuffer from, ObjectHandle passed) {
    super(stream, direction, from);
    this.passed = passed;
  }

  /// Does a call that passes a handle through a pipe. libuv refuses it unless handles may come, too; so
  /// they may for as long as the call takes, in which nothing is read.
  static int passing(long pipe, IntSupplier call) {
    boolean may = UvPipe.ipc(pipe);
    UvPipe.ipc(pipe, true);
    try {
      return call.getAsInt();
    } finally {
      UvPipe.ipc(pipe, may);
    }
  }

  @Override
  int write(long request, long buffer) {
    long pipe = stream.address();
    int code =
        passing(
            pipe,
            () ->
                UvStream.uv_write2(request, pipe, buffer, 1, passed.address(), Callbacks.WRITE_CB));
    if (code >= 0 && passed != stream) {
      passed.pin();
    }
    return code;
  }

  @Override
  protected void received() {
    super.received();
    unpin();
  }

  @Override
  protected void late(int lateStatus) {
    super.late(lateStatus);
    unpin();
  }

  private void unpin() {
    if (passed != stream) {
      passed.unpin();
    }
  }

  @Override
  public void finish() throws IOException {
    check("send", "written");
  }

  @Override
  public String toString() {
    return "passing " + passed + " through " + stream;
  }
}
