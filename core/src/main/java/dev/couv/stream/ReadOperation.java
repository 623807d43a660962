// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.error.ClosedException;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectOperation;
import dev.couv.loop.Scratch;
import dev.couv.uv.Memory;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Waiting for bytes. One per stream, used again and again: there is only one reader at a time.
///
/// The position of the caller's buffer moves only when the await returns. Until then what has arrived
/// can go back to the stream.
final class ReadOperation extends ObjectOperation {
  private final StreamHandle stream;

  /// The caller's buffer, or null to make one of the right size.
  private @Nullable ByteBuffer target;

  /// Bytes that arrived, or libuv's code.
  private int count;

  /// Where they are if there is no target.
  private @Nullable ByteBuffer own;

  ReadOperation(StreamHandle stream) {
    super(stream);
    this.stream = stream;
  }

  void into(ByteBuffer buffer) {
    target = buffer;
  }

  void intoOwn() {
    target = null;
  }

  @Override
  protected boolean takeAtHand() {
    ByteBuffer into = target;
    if (into == null) {
      own = stream.takeLeft();
      count = own == null ? 0 : own.remaining();
    } else {
      count = stream.takeLeft(into, into.position(), into.remaining());
    }
    if (count == 0) {
      count = stream.ending();
    }
    return count != 0;
  }

  /// libuv is about to read: tells it where to. In the callback.
  void offer(long buffer) {
    ByteBuffer into = target;
    Scratch scratch = stream.loop().scratch();
    if (into == null) {
      UvBuf.set(buffer, scratch.bufferAddress(), Scratch.BUFFER_SIZE);
    } else if (into.isDirect()) {
      UvBuf.set(buffer, Memory.address(into) + into.position(), into.remaining());
    } else {
      UvBuf.set(buffer, scratch.bufferAddress(), Math.min(into.remaining(), Scratch.BUFFER_SIZE));
    }
  }

  /// Bytes are where [#offer] said, or it is over. In the callback.
  void arrived(int newCount) {
    count = newCount;
    if (newCount <= 0) {
      return;
    }
    ByteBuffer into = target;
    if (into == null) {
      own = ByteBuffer.allocate(newCount).put(0, stream.loop().scratch().buffer(), 0, newCount);
    } else if (!into.isDirect()) {
      into.put(into.position(), stream.loop().scratch().buffer(), 0, newCount);
    }
  }

  @Override
  protected void giveBack() {
    if (count <= 0) {
      return;
    }
    ByteBuffer into = target;
    ByteBuffer taken = own;
    if (into != null) {
      taken = ByteBuffer.allocate(count).put(0, into, into.position(), count);
    }
    if (taken != null) {
      stream.leave(taken);
    }
    target = null;
    own = null;
  }

  int finishInto(ByteBuffer into) throws IOException {
    target = null;
    int arrived = check();
    if (arrived > 0) {
      into.position(into.position() + arrived);
    }
    return arrived;
  }

  @Nullable ByteBuffer finishOwn() throws IOException {
    ByteBuffer arrived = own;
    own = null;
    check();
    return arrived;
  }

  private int check() throws IOException {
    if (isClosed()) {
      throw new ClosedException(stream + " was closed while it was read");
    }
    Failures.check(refusal(), "read", stream);
    if (count == UvErrors.UV_EOF) {
      return -1;
    }
    return Failures.check(count, "read", stream);
  }

  @Override
  public String toString() {
    return "read from " + stream;
  }
}
