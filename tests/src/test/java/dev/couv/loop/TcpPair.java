// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvRequest;
import dev.couv.uv.UvStream;
import dev.couv.uv.UvTcp;
import java.util.function.BooleanSupplier;

/// Two TCP streams of one loop, connected to each other over the loopback interface.
final class TcpPair {
  private static final int BALLAST = 8;

  /// What the system holds at each end: fixed, so that it does not grow under us.
  private static final int BUFFER_SIZE = 1 << 16;

  final TcpHandle near;
  final TcpHandle far;

  /// Connects them by turning the loop.
  TcpPair(TestLoop test) {
    EventLoop loop = test.loop();
    near = open(loop, "near");
    far = open(loop, "far");
    Listener listener = new Listener(loop, far);
    TestWaiter waiter = new TestWaiter(loop);
    ConnectOperation connect = new ConnectOperation(near, listener.port());
    waiter.await(connect);
    test.turnUntil(() -> waiter.completions() == 1 && listener.accepted);
    assertEquals(0, connect.code());
    waiter.turnAway();
    listener.close();
    test.turnUntilQuiet();
  }

  /// A stream that is connected to nothing.
  static TcpHandle open(EventLoop loop, String name) {
    TcpHandle stream = new TcpHandle(loop, name);
    assertEquals(0, stream.init());
    return stream;
  }

  /// Writes from the near end until the kernel takes no more, and queues some: a further write then
  /// stays with libuv for as long as nobody reads at the far end.
  void fill() {
    EventLoop loop = near.loop();
    long size = loop.scratch().argumentsAddress();
    Memory.putInt(size, BUFFER_SIZE);
    assertEquals(0, UvHandle.uv_send_buffer_size(near.address(), size));
    Memory.putInt(size, BUFFER_SIZE);
    assertEquals(0, UvHandle.uv_recv_buffer_size(far.address(), size));
    long vector = loop.scratch().vectorAddress();
    UvBuf.set(vector, loop.scratch().bufferAddress(), Scratch.BUFFER_SIZE);
    int code;
    do {
      code = UvStream.uv_try_write(near.address(), vector, 1);
    } while (code > 0);
    assertEquals(UvErrors.UV_EAGAIN, code);
    // The kernel may still make a little room by itself, when the far end acknowledges.
    for (int i = 0; i < BALLAST; i++) {
      new TestWaiter(loop).await(new WriteOperation("ballast", near, new byte[60_000]));
    }
  }

  /// Reads at the far end until the condition holds.
  void readUntil(TestLoop test, BooleanSupplier condition) {
    TestWaiter reader = new TestWaiter(far.loop());
    while (!condition.getAsBoolean()) {
      TcpHandle.TcpRead read = new TcpHandle.TcpRead(far);
      int before = reader.completions();
      reader.await(read);
      test.turnUntil(() -> reader.completions() > before || condition.getAsBoolean());
      if (reader.completions() == before) {
        read.cancel();
      }
    }
  }

  /// An IPv4 address of the loopback interface, where the next call can read it.
  private static long loopback(EventLoop loop, int port) {
    long at = loop.scratch().argumentsAddress();
    Memory.zero(at, Layouts.SOCKADDR_IN_SIZE);
    if (Layouts.SOCKADDR_HAS_LENGTH) {
      Memory.putByte(at + Layouts.SOCKADDR_LEN, (byte) Layouts.SOCKADDR_IN_SIZE);
      Memory.putByte(at + Layouts.SOCKADDR_FAMILY, (byte) Layouts.AF_INET);
    } else {
      Memory.putShort(at + Layouts.SOCKADDR_FAMILY, (short) Layouts.AF_INET);
    }
    Memory.putByte(at + Layouts.SOCKADDR_IN_PORT, (byte) (port >>> 8));
    Memory.putByte(at + Layouts.SOCKADDR_IN_PORT + 1, (byte) port);
    Memory.copy(new byte[] {127, 0, 0, 1}, 0, at + Layouts.SOCKADDR_IN_ADDR, 4);
    return at;
  }

  /// Takes one connection.
  private static final class Listener extends ObjectHandle {
    private final TcpHandle client;
    private boolean accepted;

    Listener(EventLoop loop, TcpHandle client) {
      super(loop, UvHandle.UV_TCP);
      this.client = client;
      assertEquals(0, open(UvTcp::uv_tcp_init));
      assertEquals(0, UvTcp.uv_tcp_bind(address(), loopback(loop, 0), 0));
      assertEquals(0, UvStream.uv_listen(address(), 1, Callbacks.CONNECTION_CB));
    }

    int port() {
      long name = loop().scratch().argumentsAddress();
      long length = name + Layouts.SOCKADDR_STORAGE_SIZE;
      Memory.putInt(length, (int) Layouts.SOCKADDR_STORAGE_SIZE);
      assertEquals(0, UvTcp.uv_tcp_getsockname(address(), name, length));
      return Short.toUnsignedInt(
          Short.reverseBytes(Memory.getShort(name + Layouts.SOCKADDR_IN_PORT)));
    }

    @Override
    protected void onConnection(int status) {
      assertEquals(0, status);
      assertEquals(0, UvStream.uv_accept(address(), client.address()));
      accepted = true;
    }

    @Override
    protected int startEvents() {
      return 0;
    }

    @Override
    protected void stopEvents() {}

    @Override
    protected void closing() {}
  }

  /// A coroutine request: a connection being made.
  static final class ConnectOperation extends RequestOperation {
    private final TcpHandle stream;
    private final int port;

    ConnectOperation(TcpHandle stream, int port) {
      this.stream = stream;
      this.port = port;
    }

    @Override
    protected int requestSize() {
      return (int) UvRequest.uv_req_size(UvRequest.UV_CONNECT);
    }

    @Override
    protected int begin(long loop, long request) {
      long to = loopback(stream.loop(), port);
      return UvTcp.uv_tcp_connect(request, stream.address(), to, Callbacks.CONNECT_CB);
    }

    int code() {
      return status();
    }

    @Override
    public String toString() {
      return "connect";
    }
  }

  /// A coroutine request: bytes on their way out, in the request's own block.
  static final class WriteOperation extends RequestOperation {
    private static final int REQUEST_SIZE = (int) UvRequest.uv_req_size(UvRequest.UV_WRITE);
    private static final int BYTES_OFFSET = REQUEST_SIZE + (int) Layouts.UV_BUF_SIZE;

    private final String name;
    private final TcpHandle stream;
    private final byte[] bytes;
    private int lateStatus = 1;

    WriteOperation(String name, TcpHandle stream, byte[] bytes) {
      this.name = name;
      this.stream = stream;
      this.bytes = bytes;
    }

    @Override
    protected int requestSize() {
      return BYTES_OFFSET + bytes.length;
    }

    @Override
    protected int begin(long loop, long request) {
      long buffer = request + REQUEST_SIZE;
      Memory.copy(bytes, 0, request + BYTES_OFFSET, bytes.length);
      UvBuf.set(buffer, request + BYTES_OFFSET, bytes.length);
      return UvStream.uv_write(request, stream.address(), buffer, 1, Callbacks.WRITE_CB);
    }

    @Override
    protected void late(int status) {
      lateStatus = status;
    }

    int code() {
      return status();
    }

    /// The code that came too late; 1 if none has.
    int lateCode() {
      return lateStatus;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /// A coroutine request: the end of what is written.
  static final class ShutdownOperation extends RequestOperation {
    private final TcpHandle stream;

    ShutdownOperation(TcpHandle stream) {
      this.stream = stream;
    }

    @Override
    protected int requestSize() {
      return (int) UvRequest.uv_req_size(UvRequest.UV_SHUTDOWN);
    }

    @Override
    protected int begin(long loop, long request) {
      return UvStream.uv_shutdown(request, stream.address(), Callbacks.SHUTDOWN_CB);
    }

    int code() {
      return status();
    }

    @Override
    public String toString() {
      return "shutdown";
    }
  }
}
