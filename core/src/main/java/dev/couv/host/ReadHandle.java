// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.error.UvException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Unread;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.world.Reading;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.nio.ByteBuffer;

/// The half of a stream that reads, whatever tells that there is something to be read.
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
/// ## Failures that are told once
///
/// The kernel tells of a connection that broke once, to the first call on it. If that was a write, the reads after it seem to be at the end of
/// the stream. They are told what the write was.
abstract class ReadHandle extends ObjectHandle implements StreamHandle {
  final Unread unread = new Unread();
  private final ReadOperation reading;

  /// Whether libuv has asked for room since it last told anything: if not, it did not read.
  private boolean asked;

  /// Over a handle of that libuv type, which the subclass opens when it is complete.
  @SuppressWarnings("this-escape") // it only keeps it
  ReadHandle(EventLoop loop, int handleType) {
    super(loop, handleType);
    this.reading = new ReadOperation(this, unread);
  }

  @Override
  public final Reading reading() {
    return reading;
  }

  @Override
  public final void putBack(ByteBuffer bytes) {
    unread.leave(bytes);
    if (awaited() != null && reading.takeAtHand()) {
      complete();
    }
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
    if (count == UvErrors.UV_EOF && unread.lost() != 0) {
      count = unread.lost();
    }
    if (count > 0 && !arrived((int) count)) {
      count = UvErrors.UV_ENOMEM;
    }
    if (count > 0) {
      bytesArrived();
      complete();
    } else if (count == UvErrors.UV_ENOBUFS && !awaited) {
      refuse();
    } else if (count == 0) {
      reading.arrived(0); // nothing after all; libuv goes on
    } else if (count < 0) {
      unread.ended((int) count);
      failed((int) count);
    }
  }

  /// Bytes have come. False if there was no memory to keep them: there is a hole then, and nobody reads on.
  private boolean arrived(int count) {
    try {
      reading.arrived(count);
      return true;
    } catch (OutOfMemoryError exhausted) {
      return false;
    }
  }

  /// A write has ended with that code, which may be none of a failure.
  final void written(int code) {
    if (code == UvErrors.UV_ECONNRESET || code == UvErrors.UV_ETIMEDOUT) {
      unread.lost(code);
    }
  }

  @Override
  public final void writeFailed(IOException failure) {
    if (failure instanceof UvException told) {
      written(-told.errno());
    }
  }

  /// There is nothing to read now, and that is why; the next read asks again, unless it was for good.
  final void failed(int code) {
    if (awaited() != null) {
      reading.arrived(code);
      complete();
    }
    stopIdle();
  }

  /// Bytes have come, and perhaps something with them. In the callback, before the reader is told.
  void bytesArrived() {}

  @Override
  protected void closing() {
    unread.take();
  }

  @Override
  public abstract String toString();
}
