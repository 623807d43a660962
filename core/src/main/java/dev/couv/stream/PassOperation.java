// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.ObjectHandle;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Queues bytes and a handle that goes with them, and waits until both are on their way. Cancelled,
/// they still go. The handle is pinned for as long: its owner may close it meanwhile. A stream that is
/// passed through itself is not: closing it ends the request, and must not wait for that.
final class PassOperation extends OutgoingOperation {
  private final WriteMemory memory;
  private final ObjectHandle passed;

  PassOperation(StreamHandle stream, ByteBuffer from, ObjectHandle passed) {
    super(stream);
    this.memory = new WriteMemory(from);
    this.passed = passed;
  }

  @Override
  protected int requestSize() {
    return memory.size();
  }

  @Override
  int send(long request) {
    long buffer = memory.fill(request);
    int code =
        stream.passing(
            () ->
                UvStream.uv_write2(
                    request, stream.address(), buffer, 1, passed.address(), Callbacks.WRITE_CB));
    if (code >= 0) {
      memory.taken();
      if (passed != stream) {
        passed.pin();
      }
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

  void finish() throws IOException {
    finish("send", "written");
  }

  @Override
  public String toString() {
    return "passing " + passed + " through " + stream;
  }
}
