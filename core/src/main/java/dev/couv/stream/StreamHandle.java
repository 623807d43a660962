// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.EventLoop;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Turns;
import dev.couv.loop.UserBuffers;
import dev.couv.uv.Callbacks;
import dev.couv.uv.Memory;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvPipe;
import dev.couv.uv.UvStream;
import java.nio.ByteBuffer;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The native half of a stream: what arrives, and who waits for it.
///
/// ## Events that find no reader
///
/// The handle stays armed after a read. If data comes while nobody reads, no buffer is offered, so it
/// stays in the kernel; the first time that happens the handle is left armed, because the reader is
/// most likely on its way (it was made ready by the event before); the second time it is stopped.
///
/// ## Ends that libuv only guesses
///
/// When the connection hangs up after a read that did not fill its buffer, libuv tells of an end
/// without asking the kernel. It may have been a reset, and bytes may be missing: so it is made to
/// read once more.
final class StreamHandle extends ObjectHandle {
  private final NativeStream owner;
  private final ReadOperation reading;
  private final Turns turns;

  /// Bytes that a read took and its coroutine did not: first in line for the next read.
  private @Nullable ByteBuffer left;

  /// How the stream ended, for good: libuv's code, or 0.
  private int ending;

  private boolean refused;

  /// Whether libuv has asked for room since it last told anything: if not, it did not read.
  private boolean asked;

  /// The request that its coroutine awaits, in the direction of writing.
  private @Nullable OutgoingOperation outgoing;

  /// Requests that libuv still has although nobody awaits them.
  private int draining;

  private @Nullable DrainOperation awaitingDrain;

  StreamHandle(EventLoop loop, int handleType, NativeStream owner) {
    super(loop, handleType);
    this.owner = owner;
    this.reading = new ReadOperation(this);
    this.turns = new Turns(this);
  }

  ReadOperation reading() {
    return reading;
  }

  Turns turns() {
    return turns;
  }

  int initialised(Initialiser initialiser) {
    return open(initialiser);
  }

  int ending() {
    return ending;
  }

  /// Takes up where another handle for the same socket stopped.
  void resume(@Nullable ByteBuffer newLeft, int newEnding) {
    left = newLeft;
    ending = newEnding;
  }

  /// Does a call that passes a handle through this one. libuv refuses it unless handles may come, too; so
  /// they may for as long as the call takes, in which nothing is read.
  int passing(IntSupplier call) {
    boolean may = UvPipe.ipc(address());
    UvPipe.ipc(address(), true);
    try {
      return call.getAsInt();
    } finally {
      UvPipe.ipc(address(), may);
    }
  }

  /// The request is the one to end when the stream is closed.
  void outgoing(@Nullable OutgoingOperation request) {
    outgoing = request;
  }

  /// A request was given up that libuv still has.
  void leftToDrain() {
    draining++;
  }

  /// Such a request has ended.
  void drained() {
    if (draining > 0 && --draining == 0) {
      tellDrained();
    }
  }

  boolean isDraining() {
    return draining > 0;
  }

  /// Who is told when none is left: whose turn it is to write.
  void awaitDrained(@Nullable DrainOperation operation) {
    awaitingDrain = operation;
  }

  private void tellDrained() {
    DrainOperation told = awaitingDrain;
    awaitingDrain = null;
    if (told != null) {
      told.told();
    }
  }

  /// Moves bytes that were left behind into the buffer, which may be that of a reader who waits: its limit
  /// may have been moved, and its memory may be confined to the reader's thread. Their number.
  int takeLeft(ByteBuffer into, int index, int room) {
    ByteBuffer bytes = left;
    if (bytes == null) {
      return 0;
    }
    int count = Math.min(room, bytes.remaining());
    long address = UserBuffers.address(into);
    if (address != 0) {
      Memory.copy(bytes, bytes.position(), address + index, count);
    } else {
      into.duplicate().clear().put(index, bytes, bytes.position(), count);
    }
    bytes.position(bytes.position() + count);
    if (!bytes.hasRemaining()) {
      left = null;
    }
    return count;
  }

  boolean hasLeft() {
    return left != null;
  }

  /// All that was left behind, or null.
  @Nullable ByteBuffer takeLeft() {
    ByteBuffer bytes = left;
    left = null;
    return bytes;
  }

  /// Puts bytes back in front of everything else.
  void leave(ByteBuffer bytes) {
    ByteBuffer behind = left;
    if (behind != null) {
      bytes =
          ByteBuffer.allocate(bytes.remaining() + behind.remaining()).put(bytes).put(behind).flip();
    }
    left = bytes;
  }

  /// Puts bytes back that a reader may be waiting for already.
  void putBack(ByteBuffer bytes) {
    leave(bytes);
    if (awaited() != null && reading.takeAtHand()) {
      complete();
    }
  }

  @Override
  protected int startEvents() {
    refused = false;
    return UvStream.uv_read_start(address(), Callbacks.ALLOC_CB, Callbacks.READ_CB);
  }

  @Override
  protected void stopEvents() {
    UvStream.uv_read_stop(address());
  }

  @Override
  protected void onAlloc(long buffer) {
    asked = true;
    if (awaited() == null) {
      UvBuf.set(buffer, 0, 0);
    } else {
      reading.offer(buffer);
    }
  }

  @Override
  protected void onRead(long count) {
    boolean awaited = awaited() != null;
    boolean guessed = !asked;
    asked = false;
    if (count == UvErrors.UV_EOF && guessed) {
      count = awaited ? startEvents() : 0;
      if (count == 0) {
        if (!awaited) {
          stopIdle(); // the next read asks the kernel
        }
        return;
      }
    }
    if (count > 0) {
      refused = false;
      reading.arrived((int) count);
      owner.bytesArrived();
      complete();
    } else if (count == UvErrors.UV_ENOBUFS && !awaited) {
      if (refused) {
        stopIdle();
      }
      refused = !refused;
    } else if (count == 0) {
      reading.arrived(0); // nothing after all; libuv goes on
    } else if (count < 0) {
      ending = (int) count;
      if (awaited) {
        reading.arrived((int) count);
        complete();
      }
      stopIdle();
    }
  }

  @Override
  protected void closing() {
    left = null;
    owner.closing();
    OutgoingOperation waiting = outgoing;
    outgoing = null;
    if (waiting != null) {
      waiting.endEarly(UvErrors.UV_ECANCELED); // and it passes the turn on to those who queue
    }
    draining = 0;
    tellDrained();
  }

  void closedBy(LongConsumer closer) {
    closeBy(closer);
  }

  @Override
  public String toString() {
    return owner.toString();
  }
}
