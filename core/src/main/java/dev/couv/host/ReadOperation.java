// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.ObjectOperation;
import dev.couv.loop.Scratch;
import dev.couv.loop.TransferBuffers;
import dev.couv.loop.Unread;
import dev.couv.loop.UserBuffers;
import dev.couv.uv.Memory;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.world.Reading;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Waiting for bytes. One per stream, used again and again: there is only one reader at a time.
///
/// The position of the caller's buffer moves only when the await returns. Until then what has arrived
/// can go back to the stream.
final class ReadOperation extends ObjectOperation implements Reading {
  private final ObjectHandle stream;
  private final Unread unread;

  /// The caller's buffer, or null to make one of the right size.
  private @Nullable ByteBuffer target;

  /// What of it was free when the read began; whoever moves its position meanwhile changes nothing.
  private int position;

  private int room;

  /// Whether libuv reads straight into it.
  private boolean straight;

  /// Bytes that arrived, or libuv's code.
  private int count;

  /// Where they are if there is no target, or none that can be used any more. A buffer of the loop's
  /// [TransferBuffers], if they are to be passed on, or one on the heap.
  private @Nullable ByteBuffer own;

  /// Whether they are to be passed on.
  private boolean transferring;

  /// What libuv was told to read into, for a transfer.
  private @Nullable ByteBuffer transfer;

  ReadOperation(ObjectHandle stream, Unread unread) {
    super(stream);
    this.stream = stream;
    this.unread = unread;
  }

  @Override
  public void into(ByteBuffer buffer) {
    target = buffer;
    transferring = false;
    position = buffer.position();
    room = buffer.remaining();
  }

  @Override
  public void intoOwn(boolean toBePassedOn) {
    target = null;
    transferring = toBePassedOn;
  }

  @Override
  protected boolean takeAtHand() {
    own = null;
    ByteBuffer into = target;
    if (into == null || !isReachable(into)) {
      own = unread.take();
      count = own == null ? 0 : own.remaining();
    } else {
      count = unread.take(into, position, room);
    }
    if (count == 0) {
      count = unread.ending();
    }
    return count != 0;
  }

  /// libuv is about to read: tells it where to. In the callback. Memory of an arena that was closed
  /// meanwhile is not touched.
  void offer(long buffer) {
    if (transferring && offerTransfer(buffer)) {
      return;
    }
    ByteBuffer into = target;
    long address = into == null ? 0 : UserBuffers.address(into);
    straight = address != 0;
    if (straight) {
      UvBuf.set(buffer, address + position, room);
    } else {
      int size = into == null ? Scratch.BUFFER_SIZE : Math.min(room, Scratch.BUFFER_SIZE);
      UvBuf.set(buffer, stream.loop().scratch().bufferAddress(), size);
    }
  }

  /// Whether bytes can be put there from any thread, with no risk that it is freed meanwhile.
  private static boolean isReachable(ByteBuffer into) {
    return !into.isDirect() || UserBuffers.isFixed(into);
  }

  private boolean offerTransfer(long buffer) {
    try {
      ByteBuffer room = stream.loop().transfers().take();
      transfer = room;
      UvBuf.set(buffer, Memory.address(room), TransferBuffers.BUFFER_SIZE);
      return true;
    } catch (OutOfMemoryError exhausted) {
      return false; // the loop's scratch buffer is there in any case
    }
  }

  /// Bytes are where [#offer] said, or nothing came, or it is over. In the callback.
  void arrived(int newCount) {
    count = newCount;
    ByteBuffer passing = transfer;
    if (passing != null) {
      transfer = null;
      if (newCount > 0) {
        own = passing.limit(newCount);
      } else {
        stream.loop().transfers().give(passing);
      }
      return;
    }
    if (newCount <= 0 || straight) {
      return;
    }
    ByteBuffer bytes = stream.loop().scratch().buffer();
    ByteBuffer into = target;
    if (into == null || !isReachable(into)) {
      own = ByteBuffer.allocate(newCount).put(0, bytes, 0, newCount);
    } else if (position + newCount <= into.limit()) {
      into.put(position, bytes, 0, newCount);
    } else {
      Landing.whole(into).put(position, bytes, 0, newCount);
    }
  }

  @Override
  protected void giveBack() {
    ByteBuffer into = target;
    ByteBuffer taken = own;
    target = null;
    own = null;
    if (count <= 0) {
      return;
    }
    if (taken != null && taken.isDirect()) {
      taken = kept(taken);
    }
    if (taken == null && into != null) {
      taken = ByteBuffer.wrap(Landing.bytes(into, position, count));
    }
    if (taken != null && taken.hasRemaining()) {
      unread.leave(taken);
    }
  }

  /// A copy of what is in a buffer of the loop's, which goes back. Without memory for it nobody reads on: there would be a hole.
  private ByteBuffer kept(ByteBuffer passing) {
    ByteBuffer copy = null;
    try {
      copy = ByteBuffer.allocate(count).put(0, passing, 0, count);
      return copy;
    } finally {
      stream.loop().transfers().give(passing);
      if (copy == null) {
        stream.close();
      }
    }
  }

  @Override
  public int finishInto(ByteBuffer into) throws IOException {
    int arrived = check();
    if (arrived > 0) {
      if (own != null) {
        arrived = land(own, into);
      }
      if (arrived == 0 || position + arrived > into.limit()) {
        giveBack();
        throw new IllegalStateException(
            "the buffer was changed or freed while "
                + stream
                + " was read into it; what arrived is there for the next read");
      }
      into.position(position + arrived);
    }
    target = null;
    return arrived;
  }

  /// Copies what arrived elsewhere, because it is memory that another thread may free, as far as there was
  /// room; the rest goes back. How much that was: nothing if it was freed.
  private int land(ByteBuffer arrived, ByteBuffer into) {
    int fitting = Math.min(arrived.remaining(), room);
    if (position + fitting > into.limit()) {
      return 0;
    }
    try {
      into.put(position, arrived, arrived.position(), fitting);
    } catch (IllegalStateException freed) {
      return 0;
    }
    own = null;
    arrived.position(arrived.position() + fitting);
    if (arrived.hasRemaining()) {
      unread.leave(arrived);
    }
    return fitting;
  }

  @Override
  public @Nullable ByteBuffer finishOwn() throws IOException {
    ByteBuffer arrived = own;
    own = null;
    check();
    return arrived;
  }

  private int check() throws IOException {
    if (isClosed()) {
      throw Failures.closedWhile(stream, "read");
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
