// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Operation;
import dev.couv.loop.Scratch;
import dev.couv.uv.Callbacks;
import dev.couv.uv.Posix;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvStream;
import dev.couv.world.Delivery;
import dev.couv.world.Reading;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A stream of libuv's: everything that does not depend on what is at the other end.
///
/// ## Reading
///
/// Bytes go straight into a direct buffer, or through the loop's scratch buffer into a heap buffer:
/// an idle stream holds no buffer. libuv stays armed between two reads.
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
///
/// ## Writing
///
/// A write first tries what the kernel takes at once. Of what is left, a bounded piece at a time is
/// copied into native memory of the request and queued; so libuv never sees the caller's memory after
/// the call, and a peer that does not read costs at most one piece.
abstract class HostStream extends ObjectHandle implements StreamHandle {
  private final Unread unread = new Unread();
  private final ReadOperation reading;
  private final Outgoing outgoing;
  private boolean refused;

  /// Whether libuv has asked for room since it last told anything: if not, it did not read.
  private boolean asked;

  /// Over a handle of that libuv type, which the subclass opens when it is complete.
  @SuppressWarnings("this-escape") // they only keep it
  HostStream(EventLoop loop, int handleType) {
    super(loop, handleType);
    this.reading = new ReadOperation(this, unread);
    this.outgoing = new Outgoing(this);
  }

  // ---- reading

  @Override
  public final Reading reading() {
    return reading;
  }

  final Unread unread() {
    return unread;
  }

  @Override
  public final void putBack(ByteBuffer bytes) {
    unread.leave(bytes);
    if (awaited() != null && reading.takeAtHand()) {
      complete();
    }
  }

  @Override
  protected final int startEvents() {
    refused = false;
    return UvStream.uv_read_start(address(), Callbacks.ALLOC_CB, Callbacks.READ_CB);
  }

  @Override
  protected final void stopEvents() {
    UvStream.uv_read_stop(address());
  }

  @Override
  protected final void onAlloc(long buffer) {
    asked = true;
    if (awaited() == null) {
      UvBuf.set(buffer, 0, 0);
    } else {
      reading.offer(buffer);
    }
  }

  @Override
  protected final void onRead(long count) {
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
      bytesArrived();
      complete();
    } else if (count == UvErrors.UV_ENOBUFS && !awaited) {
      if (refused) {
        stopIdle();
      }
      refused = !refused;
    } else if (count == 0) {
      reading.arrived(0); // nothing after all; libuv goes on
    } else if (count < 0) {
      unread.ended((int) count);
      if (awaited) {
        reading.arrived((int) count);
        complete();
      }
      stopIdle();
    }
  }

  /// Bytes have come, and perhaps something with them. In the callback, before the reader is told.
  void bytesArrived() {}

  // ---- writing

  final Outgoing outgoing() {
    return outgoing;
  }

  @Override
  public final boolean writeNow(ByteBuffer... from) throws IOException {
    Scratch scratch = loop().scratch();
    int buffers = Gather.prepare(scratch, from);
    if (buffers == 0) {
      return true;
    }
    int code = UvStream.uv_try_write(address(), scratch.vectorAddress(), buffers);
    if (code == UvErrors.UV_EAGAIN) {
      return false;
    }
    Failures.check(code, "write", this);
    Gather.advance(from, code);
    return code == Gather.offered(scratch, buffers);
  }

  @Override
  public final Delivery write(ByteBuffer... from) {
    return new WriteOperation(this, outgoing, from);
  }

  @Override
  public final @Nullable Operation leftovers() {
    return outgoing.leftovers();
  }

  @Override
  public final Delivery shutdown() {
    return new ShutdownOperation(this, outgoing);
  }

  @Override
  public final long pending() {
    return UvStream.uv_stream_get_write_queue_size(address());
  }

  // ---- its descriptor

  @Override
  public final int descriptor() throws IOException {
    checkUsable();
    int descriptor = number();
    has(descriptor);
    return descriptor;
  }

  private int number() throws IOException {
    return Failures.check(SocketCalls.descriptor(loop().scratch(), address()), "fileno", this);
  }

  @Override
  public final void blocking(boolean on) throws IOException {
    checkUsable();
    Failures.check(UvStream.uv_stream_set_blocking(address(), on ? 1 : 0), "set blocking", this);
  }

  @Override
  public final int duplicate() throws IOException {
    return Failures.check(Posix.dup(number()), "dup", this);
  }

  @Override
  public final void release(int duplicate) {
    Posix.close(duplicate);
  }

  // ---- closing

  @Override
  protected void closing() {
    unread.take();
    outgoing.close();
  }

  @Override
  public abstract String toString();
}
