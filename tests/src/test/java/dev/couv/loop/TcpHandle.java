// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.couv.uv.OtherCalls;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvStream;
import dev.couv.uv.UvTcp;
import java.util.Arrays;

/// An object handle: a TCP stream that can be read. An event that finds nobody stops it.
final class TcpHandle extends ObjectHandle {
  private final String name;
  private byte[] kept = {};
  private int closings;
  private boolean awaitedAtStart;
  private Runnable onClosing = () -> {};

  TcpHandle(EventLoop loop, String name) {
    super(loop, UvHandle.UV_TCP);
    this.name = name;
  }

  int init() {
    return open(UvTcp::uv_tcp_init);
  }

  @Override
  protected int startEvents() {
    awaitedAtStart = awaited() != null;
    return UvStream.uv_read_start(address(), Callbacks.ALLOC_CB, Callbacks.READ_CB);
  }

  @Override
  protected void stopEvents() {
    UvStream.uv_read_stop(address());
  }

  @Override
  protected void onAlloc(long buffer) {
    if (awaited() == null) {
      UvBuf.set(buffer, 0, 0);
    } else {
      UvBuf.set(buffer, loop().scratch().bufferAddress(), Scratch.BUFFER_SIZE);
    }
  }

  @Override
  protected void onRead(long count) {
    TcpRead reading = (TcpRead) awaited();
    if (reading != null && count != 0) {
      reading.arrived(count, bytes(count));
      complete();
    } else if (count == UvErrors.UV_ENOBUFS) {
      stopIdle();
    }
  }

  private byte[] bytes(long count) {
    byte[] bytes = new byte[(int) Math.max(count, 0)];
    loop().scratch().buffer().get(0, bytes);
    return bytes;
  }

  @Override
  protected void closing() {
    closings++;
    onClosing.run();
  }

  void failClosing(Runnable failure) {
    onClosing = failure;
  }

  /// What a read brought and its waiter did not take.
  void keep(byte[] bytes) {
    kept = bytes;
  }

  byte[] takeKept() {
    byte[] bytes = kept;
    kept = new byte[0];
    return bytes;
  }

  /// How often it was told that it is being closed.
  int closings() {
    return closings;
  }

  /// Whether the operation was known already when libuv was asked to start.
  boolean awaitedAtStart() {
    return awaitedAtStart;
  }

  /// Whether libuv is reading.
  boolean isStarted() {
    return OtherCalls.uv_is_active(address()) != 0;
  }

  @Override
  public String toString() {
    return name + " (" + state() + ")";
  }

  /// Waiting for bytes.
  static final class TcpRead extends ObjectOperation {
    private final TcpHandle stream;
    private long count;
    private byte[] bytes = {};
    private int givenBack;

    TcpRead(TcpHandle stream) {
      super(stream);
      this.stream = stream;
    }

    @Override
    protected boolean takeAtHand() {
      bytes = stream.takeKept();
      return bytes.length > 0;
    }

    void arrived(long newCount, byte[] newBytes) {
      count = newCount;
      bytes = newBytes;
    }

    @Override
    protected void giveBack() {
      givenBack++;
      stream.keep(Arrays.copyOf(bytes, bytes.length));
      bytes = new byte[0];
    }

    /// Bytes, or libuv's code.
    long count() {
      return count;
    }

    /// How often it was told to give back what it took.
    int givenBack() {
      return givenBack;
    }

    String text() {
      return new String(bytes, US_ASCII);
    }

    boolean wasClosed() {
      return isClosed();
    }

    int refusalCode() {
      return refusal();
    }

    @Override
    public String toString() {
      return "read from " + stream.name;
    }
  }
}
