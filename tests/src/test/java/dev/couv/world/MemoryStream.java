// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One end of a connection in memory.
final class MemoryStream extends MemoryHandle implements TcpHandle {
  private final InetSocketAddress local;
  private final InetSocketAddress remote;
  private final MemoryPipe in;
  private final MemoryPipe out;
  private final Read reading = new Read();
  private @Nullable MemoryStream peer;
  private int sendBuffer = MemoryPipe.CAPACITY;
  private int receiveBuffer = MemoryPipe.CAPACITY;

  private MemoryStream(
      EventLoop loop,
      InetSocketAddress local,
      InetSocketAddress remote,
      MemoryPipe in,
      MemoryPipe out) {
    super(loop);
    this.local = local;
    this.remote = remote;
    this.in = in;
    this.out = out;
  }

  /// The end of who connects; its peer is that of who accepts.
  static MemoryStream connected(EventLoop loop, InetSocketAddress from, InetSocketAddress to) {
    MemoryPipe there = new MemoryPipe();
    MemoryPipe back = new MemoryPipe();
    MemoryStream client = new MemoryStream(loop, from, to, back, there);
    MemoryStream server = new MemoryStream(loop, to, from, there, back);
    client.peer = server;
    server.peer = client;
    return client;
  }

  MemoryStream peer() {
    if (peer == null) {
      throw new AssertionError(this + " has no other end");
    }
    return peer;
  }

  /// Both ends look again.
  private void changed() {
    changes.changed();
    peer().changes.changed();
  }

  @Override
  public Reading reading() {
    return reading;
  }

  private final class Read extends Wait implements Reading {
    Read() {
      super("read from");
    }

    @Override
    boolean holds() {
      return in.isReadable();
    }

    @Override
    public void into(ByteBuffer buffer) {}

    @Override
    public void intoOwn(boolean toBePassedOn) {}

    @Override
    public int finishInto(ByteBuffer into) throws IOException {
      if (!isOpen()) {
        throw Failures.closedWhile(MemoryStream.this, "read");
      }
      if (in.state() == MemoryPipe.State.RESET) {
        throw Failures.named("ECONNRESET", "read", MemoryStream.this.toString());
      }
      int count = in.take(into);
      changed();
      return count == 0 ? -1 : count;
    }

    @Override
    public @Nullable ByteBuffer finishOwn() throws IOException {
      ByteBuffer own = ByteBuffer.allocate(Math.max(in.size(), 1));
      return finishInto(own) < 0 ? null : own.flip();
    }
  }

  @Override
  public void putBack(ByteBuffer bytes) {
    in.putBack(bytes);
    changes.changed();
  }

  @Override
  public boolean writeNow(ByteBuffer... from) throws IOException {
    checkHeard();
    for (ByteBuffer buffer : from) {
      int count = Math.min(buffer.remaining(), out.room());
      if (count > 0) {
        out.put(buffer, count);
      }
      if (buffer.hasRemaining()) {
        changed();
        return false;
      }
    }
    changed();
    return true;
  }

  private void checkHeard() throws IOException {
    if (out.state() != MemoryPipe.State.OPEN) {
      throw Failures.named("EPIPE", "write", toString());
    }
  }

  /// The piece is in the pipe from the start; what is waited for is that there is room for it.
  @Override
  public Delivery write(ByteBuffer... from) {
    return new Sent("write to") {
      @Override
      public boolean start(Waiter waiter) {
        for (ByteBuffer buffer : from) {
          out.put(buffer, Math.min(buffer.remaining(), MemoryPipe.CAPACITY));
          if (buffer.hasRemaining()) {
            break;
          }
        }
        changed();
        return super.start(waiter);
      }
    };
  }

  @Override
  public @Nullable Operation leftovers() {
    return out.excess() == 0 ? null : new Sent("an earlier write to");
  }

  @Override
  public Delivery shutdown() {
    return new Sent("shutdown of") {
      @Override
      public boolean start(Waiter waiter) {
        out.become(MemoryPipe.State.ENDED);
        changed();
        return super.start(waiter);
      }
    };
  }

  /// Waits until the other side has read so much that there is room.
  private class Sent extends Wait implements Delivery {
    Sent(String what) {
      super(what);
    }

    @Override
    final boolean holds() {
      return out.excess() == 0;
    }

    @Override
    public final void finish() throws IOException {
      if (!isOpen()) {
        throw Failures.closedWhile(MemoryStream.this, "written");
      }
      if (out.state() == MemoryPipe.State.DEAF) {
        throw Failures.named("ECONNRESET", "write", MemoryStream.this.toString());
      }
    }
  }

  @Override
  public long pending() {
    return out.excess();
  }

  @Override
  public InetSocketAddress local() {
    return local;
  }

  @Override
  public InetSocketAddress remote() {
    return remote;
  }

  @Override
  public void noDelay(boolean on) throws IOException {
    checkUsable();
  }

  @Override
  public void keepAlive(@Nullable Duration idle) throws IOException {
    checkUsable();
  }

  @Override
  public int buffer(boolean sending, int bytes) {
    if (bytes > 0 && sending) {
      sendBuffer = bytes;
    } else if (bytes > 0) {
      receiveBuffer = bytes;
    }
    return sending ? sendBuffer : receiveBuffer;
  }

  @Override
  public void reset() {
    out.become(MemoryPipe.State.RESET);
    close();
  }

  /// What was written can still be read at the other side; what was not read here is gone.
  @Override
  void closing() {
    out.become(MemoryPipe.State.ENDED);
    in.become(MemoryPipe.State.DEAF);
    peer().changes.changed();
  }

  @Override
  public String toString() {
    return "tcp " + AddressText.of(remote);
  }
}
