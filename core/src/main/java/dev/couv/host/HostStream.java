// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.Scratch;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvStream;
import dev.couv.world.Delivery;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A stream of libuv's: everything that does not depend on what is at the other end.
///
/// ## Writing
///
/// A write first tries what the kernel takes at once. Of what is left, a bounded piece at a time is
/// copied into native memory of the request and queued; so libuv never sees the caller's memory after
/// the call, and a peer that does not read costs at most one piece.
abstract class HostStream extends ReadHandle {
  /// Made for the first write that the kernel does not take at once: most idle connections had none.
  private @Nullable Outgoing outgoing;

  /// Over a handle of that libuv type, which the subclass opens when it is complete.
  HostStream(EventLoop loop, int handleType) {
    super(loop, handleType);
  }

  @Override
  protected int startEvents() {
    return UvStream.uv_read_start(address(), Callbacks.ALLOC_CB, Callbacks.READ_CB);
  }

  @Override
  protected void stopEvents() {
    UvStream.uv_read_stop(address());
  }

  // ---- writing

  @Override
  public final boolean writeNow(ByteBuffer... from) throws IOException {
    Scratch scratch = loop().scratch();
    int buffers = Gather.prepare(scratch, from);
    if (buffers == 0) {
      return true;
    }
    int code = writeNow(scratch.vectorAddress(), buffers);
    written(code);
    if (code == UvErrors.UV_EAGAIN) {
      return false;
    }
    Failures.check(code, "write", this);
    Gather.advance(from, code);
    return code == Gather.offered(scratch, buffers);
  }

  /// Has the system take what it takes at once of those buffers: how many bytes that was, or libuv's code.
  int writeNow(long vector, int buffers) {
    return UvStream.uv_try_write(address(), vector, buffers);
  }

  /// Whether libuv may have something that is to be written first.
  final boolean isQueueing() {
    return outgoing != null && (outgoing.isLeft() || pending() > 0);
  }

  final Outgoing outgoing() {
    Outgoing known = outgoing;
    if (known == null) {
      known = new Outgoing(this);
      outgoing = known;
    }
    return known;
  }

  @Override
  public final Delivery write(ByteBuffer... from) {
    return new WriteOperation(this, outgoing(), from);
  }

  @Override
  public final @Nullable Operation leftovers() {
    return outgoing == null ? null : outgoing.leftovers();
  }

  @Override
  public final Delivery shutdown() {
    return new ShutdownOperation(this, outgoing());
  }

  @Override
  public final long pending() {
    return UvStream.uv_stream_get_write_queue_size(address());
  }

  // ---- its descriptor

  @Override
  public final int descriptor() throws IOException {
    checkUsable();
    int descriptor = ownNumber();
    has(descriptor);
    return descriptor;
  }

  /// Its own, whatever calls on it do.
  final int ownNumber() throws IOException {
    return Failures.check(SocketCalls.descriptor(loop().scratch(), address()), "fileno", this);
  }

  @Override
  public final void blocking(boolean on) throws IOException {
    checkUsable();
    Failures.check(UvStream.uv_stream_set_blocking(address(), on ? 1 : 0), "set blocking", this);
  }

  @Override
  public final int duplicate() throws IOException {
    return Failures.check(Posix.dup(ownNumber()), "dup", this);
  }

  @Override
  public final void release(int duplicate) {
    Posix.close(duplicate);
  }

  // ---- closing

  @Override
  protected void closing() {
    super.closing();
    if (outgoing != null) {
      outgoing.close();
    }
  }
}
