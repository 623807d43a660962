// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.Scratch;
import dev.couv.loop.WaitOperation;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPoll;
import dev.couv.world.Delivery;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A socket, or a pipe that cannot be opened anew, whose mode must not change because others share it. It is
/// asked whether it is ready, and then for no more than it gives or takes without waiting.
///
/// Nothing is in the hands of the system between two calls, so leaving a call loses nothing.
final class SharedStream extends ReadHandle {
  /// What a pipe that is ready for writing takes at once, on every system (`PIPE_BUF`).
  private static final int PIPE_ROOM = 4096;

  private final int descriptor;
  private final PolledEnd end;
  private final String name;

  /// Made when somebody first has to wait.
  private @Nullable WriteRoom room;

  /// Whether it turned out to be no socket.
  private boolean pipe;

  private SharedStream(EventLoop loop, int descriptor, PolledEnd end, String name) {
    super(loop, UvHandle.UV_POLL);
    this.descriptor = descriptor;
    this.end = end;
    this.name = name;
  }

  /// The descriptor is its own from now on, also if this fails.
  static SharedStream open(EventLoop loop, int descriptor, String name) throws IOException {
    PolledEnd end = null;
    try {
      end = PolledEnd.of(descriptor, false, name);
      SharedStream stream = new SharedStream(loop, descriptor, end, name);
      Failures.check(stream.open(end::init), "poll", name);
      return stream;
    } catch (Throwable failed) {
      if (end != null) {
        end.close();
      }
      Posix.close(descriptor);
      throw failed;
    }
  }

  // ---- reading

  @Override
  protected int startEvents() {
    return end.start(address());
  }

  @Override
  protected void stopEvents() {
    UvPoll.uv_poll_stop(address());
  }

  /// Reads as libuv would, and tells what it would tell.
  @Override
  protected void onPoll(int status, int events) {
    long buffer = loop().scratch().vectorAddress();
    onAlloc(buffer);
    int size = (int) UvBuf.len(buffer);
    long count = status;
    if (status >= 0) {
      count = size == 0 ? UvErrors.UV_ENOBUFS : receive(UvBuf.base(buffer), size);
    }
    if (count == UvErrors.UV_EAGAIN) {
      onRead(0); // another has taken it
    } else if (count >= 0 || count == UvErrors.UV_ENOBUFS) {
      onRead(count == 0 ? UvErrors.UV_EOF : count);
    } else {
      failed((int) count);
    }
  }

  /// How many bytes, 0 at the end, or libuv's code.
  private long receive(long address, int size) {
    if (!pipe) {
      long count = PosixBytes.recv(descriptor, address, size, PosixBytes.MSG_DONTWAIT);
      if (count != UvErrors.UV_ENOTSOCK) {
        return count;
      }
      pipe = true;
    }
    return PosixBytes.isReady(descriptor, PosixBytes.POLLIN)
        ? PosixBytes.read(descriptor, address, size)
        : UvErrors.UV_EAGAIN;
  }

  // ---- writing

  @Override
  public boolean writeNow(ByteBuffer... from) throws IOException {
    long bytes = loop().scratch().bufferAddress();
    int length = Gather.length(from, Scratch.BUFFER_SIZE);
    if (length == 0) {
      return true;
    }
    Gather.copy(from, bytes, length);
    int count = (int) send(bytes, length);
    if (count == UvErrors.UV_EAGAIN) {
      return false;
    }
    Gather.advance(from, Failures.check(count, "write", this));
    return true;
  }

  /// How many bytes, or libuv's code.
  private long send(long address, int length) {
    if (!pipe) {
      int flags = PosixBytes.MSG_DONTWAIT | PosixBytes.MSG_NOSIGNAL;
      long count = PosixBytes.send(descriptor, address, length, flags);
      if (count != UvErrors.UV_ENOTSOCK) {
        return count;
      }
      pipe = true;
    }
    return PosixBytes.isReady(descriptor, PosixBytes.POLLOUT)
        ? PosixBytes.write(descriptor, address, Math.min(length, PIPE_ROOM))
        : UvErrors.UV_EAGAIN;
  }

  /// Nothing is taken: when it is complete, it can be tried again.
  @Override
  public Delivery write(ByteBuffer... from) throws IOException {
    WriteRoom known = room;
    if (known == null) {
      known = WriteRoom.open(loop(), descriptor, this);
      room = known;
    }
    return known.await();
  }

  @Override
  public @Nullable Operation leftovers() {
    return null;
  }

  @Override
  public long pending() {
    return 0;
  }

  /// Nothing is queued. The end would be one for everybody who shares it: it comes with the process.
  @Override
  public Delivery shutdown() {
    return new Shutting();
  }

  private final class Shutting extends WaitOperation implements Delivery {
    @Override
    protected boolean enter() {
      return true;
    }

    @Override
    public void finish() {
      close();
    }

    @Override
    public String toString() {
      return "shutdown of " + name;
    }
  }

  @Override
  protected void closing() {
    super.closing();
    if (room != null) {
      room.close();
    }
    end.close(address());
    Posix.close(descriptor);
  }

  @Override
  public String toString() {
    return name;
  }
}
