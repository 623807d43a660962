// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// An operation as the rows of the list of behaviours see it: a coroutine awaits it, something
/// outside of the loop triggers it. An object awaits its first, second, … configuration in turn, and
/// triggers them in the same order.
///
/// What is outside is plain Java: when [#trigger] returns the kernel knows, and the loop does not.
abstract class AwaitedOperation implements AutoCloseable {
  private static final String V4 = "127.0.0.1";
  private static final String V6 = "::1";

  /// How many configurations a scenario may use.
  static final int CONFIGURATIONS = 2;

  private final List<AutoCloseable> resources = new ArrayList<>();

  /// Makes what the awaits need. In a coroutine.
  void prepare() throws Exception {}

  /// Awaits the next configuration. In a coroutine.
  abstract void await() throws Exception;

  /// Lets the oldest configuration that was not triggered complete. On the loop's thread, between
  /// two runs.
  abstract void trigger() throws Exception;

  /// Whether it completes although nobody triggers it.
  boolean completesByItself() {
    return false;
  }

  <R extends AutoCloseable> R own(R resource) {
    resources.add(resource);
    return resource;
  }

  @Override
  public final void close() {
    for (AutoCloseable resource : resources.reversed()) {
      try {
        resource.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  /// All of them: a name for the test report, and how to make one.
  record Kind(String name, Supplier<AwaitedOperation> make) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Kind> all() {
    return Stream.concat(thatComplete(), thatAreClosed());
  }

  static Stream<Kind> thatComplete() {
    return Stream.of(
        new Kind("timer", Timer::new),
        new Kind("idle", Idle::new),
        new Kind("connect, IPv4", () -> new Connect(V4)),
        new Kind("connect, IPv6", () -> new Connect(V6)),
        new Kind("write, IPv4", () -> new Write(V4)),
        new Kind("write, IPv6", () -> new Write(V6)),
        new Kind("shutdown, IPv4", () -> new Shutdown(V4)),
        new Kind("shutdown, IPv6", () -> new Shutdown(V6)),
        new Kind("read, IPv4", () -> new Read(V4)),
        new Kind("read, IPv6", () -> new Read(V6)),
        new Kind("accept, IPv4", () -> new Accept(V4)),
        new Kind("accept, IPv6", () -> new Accept(V6)),
        new Kind("offload", Offloaded::new));
  }

  /// Those on objects, where closing the object is what ends the await. A connection that is being
  /// made has no object yet that anybody could close.
  static Stream<Kind> thatAreClosed() {
    return Stream.of(
        new Kind("write, closed", ClosedWrite::new),
        new Kind("shutdown, closed", ClosedShutdown::new),
        new Kind("read, closed", ClosedRead::new),
        new Kind("accept, closed", ClosedAccept::new));
  }

  // ---- without an object

  private static final class Timer extends AwaitedOperation {
    private int awaited;

    @Override
    void await() {
      Time.sleep(Duration.ofMillis(2 + awaited++));
    }

    @Override
    void trigger() {}

    @Override
    boolean completesByItself() {
      return true;
    }
  }

  private static final class Idle extends AwaitedOperation {
    @Override
    void await() {
      Time.sleep(Duration.ZERO);
    }

    @Override
    void trigger() {}

    @Override
    boolean completesByItself() {
      return true;
    }
  }

  private static final class Offloaded extends AwaitedOperation {
    private final Deque<CountDownLatch> waiting = new ArrayDeque<>();
    private final Deque<CountDownLatch> triggers = new ArrayDeque<>();

    @Override
    void prepare() {
      for (int i = 0; i < CONFIGURATIONS; i++) {
        CountDownLatch latch = new CountDownLatch(1);
        waiting.add(latch);
        triggers.add(latch);
      }
    }

    @Override
    void await() throws Exception {
      CountDownLatch latch = waiting.remove();
      Loop.offload(
          () -> {
            latch.await();
            return null;
          });
    }

    @Override
    void trigger() {
      triggers.remove().countDown();
    }
  }

  // ---- connecting and accepting

  private static final class Connect extends AwaitedOperation {
    private final String host;
    private final Deque<ServerSocket> servers = new ArrayDeque<>();

    Connect(String host) {
      this.host = host;
    }

    @Override
    void prepare() throws IOException {
      for (int i = 0; i < CONFIGURATIONS; i++) {
        servers.add(own(new ServerSocket(0, 1, InetAddress.getByName(host))));
      }
    }

    @Override
    void await() throws IOException {
      own(Tcp.connect((InetSocketAddress) servers.remove().getLocalSocketAddress()));
    }

    @Override
    void trigger() {}

    @Override
    boolean completesByItself() {
      return true;
    }
  }

  private static class Accept extends AwaitedOperation {
    private final String host;
    private TcpListener listener;

    Accept(String host) {
      this.host = host;
    }

    @Override
    void prepare() throws IOException {
      listener = own(Tcp.listen(new InetSocketAddress(host, 0)));
    }

    @Override
    void await() throws IOException {
      own(listener.accept());
    }

    @Override
    void trigger() throws IOException {
      own(new Socket(listener.local().getAddress(), listener.local().getPort()));
    }
  }

  private static final class ClosedAccept extends AwaitedOperation {
    private final Deque<TcpListener> awaited = new ArrayDeque<>();
    private final Deque<TcpListener> triggers = new ArrayDeque<>();

    @Override
    void prepare() throws IOException {
      for (int i = 0; i < CONFIGURATIONS; i++) {
        TcpListener listener = own(Tcp.listen(new InetSocketAddress(V4, 0)));
        awaited.add(listener);
        triggers.add(listener);
      }
    }

    @Override
    void await() throws IOException {
      TcpListener listener = awaited.remove();
      expectClosed(listener::accept);
    }

    @Override
    void trigger() {
      triggers.remove().close();
    }
  }

  // ---- on streams

  /// Several connections to plain sockets: the awaits go to their streams one after the other.
  private abstract static class OnStream extends AwaitedOperation {
    private final String host;
    private final Deque<TcpStream> awaited = new ArrayDeque<>();
    private final Deque<TcpStream> streams = new ArrayDeque<>();
    private final Deque<Socket> peers = new ArrayDeque<>();

    OnStream(String host) {
      this.host = host;
    }

    @Override
    void prepare() throws IOException {
      try (ServerSocket server = new ServerSocket()) {
        server.setReceiveBufferSize(1 << 16);
        server.bind(new InetSocketAddress(host, 0), CONFIGURATIONS);
        for (int i = 0; i < CONFIGURATIONS; i++) {
          TcpStream stream = own(Tcp.connect((InetSocketAddress) server.getLocalSocketAddress()));
          awaited.add(stream);
          streams.add(stream);
          peers.add(own(server.accept()));
        }
      }
    }

    final TcpStream nextAwaited() {
      return awaited.remove();
    }

    final TcpStream nextStream() {
      return streams.remove();
    }

    final Socket nextPeer() {
      return peers.remove();
    }
  }

  private static final class Read extends OnStream {
    Read(String host) {
      super(host);
    }

    @Override
    void await() throws IOException {
      int count = nextAwaited().read(ByteBuffer.allocate(10));
      if (count != 1) {
        throw new AssertionError("read " + count + " bytes");
      }
    }

    @Override
    void trigger() throws IOException {
      nextPeer().getOutputStream().write('x');
    }
  }

  private static final class ClosedRead extends OnStream {
    ClosedRead() {
      super(V4);
    }

    @Override
    void await() throws IOException {
      TcpStream stream = nextAwaited();
      expectClosed(() -> stream.read(ByteBuffer.allocate(10)));
    }

    @Override
    void trigger() {
      nextStream().close();
    }
  }

  private static final class Write extends OnStream {
    Write(String host) {
      super(host);
    }

    @Override
    void await() throws IOException {
      nextAwaited().write(moreThanTheKernelTakes());
    }

    /// The peer reads all there is.
    @Override
    void trigger() {
      Socket peer = nextPeer();
      Thread.ofPlatform()
          .daemon()
          .name("drain")
          .start(
              () -> {
                try (InputStream input = peer.getInputStream()) {
                  input.transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                  // The test is over.
                }
              });
    }
  }

  private static final class ClosedWrite extends OnStream {
    ClosedWrite() {
      super(V4);
    }

    @Override
    void await() throws IOException {
      TcpStream stream = nextAwaited();
      expectClosed(() -> stream.write(moreThanTheKernelTakes()));
    }

    @Override
    void trigger() {
      nextStream().close();
    }
  }

  private static final class Shutdown extends OnStream {
    Shutdown(String host) {
      super(host);
    }

    @Override
    void await() throws IOException {
      nextAwaited().shutdown();
    }

    @Override
    void trigger() {}

    @Override
    boolean completesByItself() {
      return true;
    }
  }

  /// A shutdown that waits for bytes that nobody reads.
  private static final class ClosedShutdown extends OnStream {
    ClosedShutdown() {
      super(V4);
    }

    @Override
    void await() throws Exception {
      TcpStream stream = nextAwaited();
      if (stream.isOpen()) {
        Coroutine<?> writer =
            Coroutine.create(
                () -> {
                  try {
                    stream.write(moreThanTheKernelTakes());
                  } catch (Resumed resumed) {
                    // Its last piece stays queued.
                  }
                });
        writer.resume(); // until it waits
        writer.resume(); // until it has left
      }
      expectClosed(stream::shutdown);
    }

    @Override
    void trigger() {
      nextStream().close();
    }
  }

  private static ByteBuffer moreThanTheKernelTakes() {
    return ByteBuffer.allocate(6 << 20);
  }

  private interface IoCall {
    void run() throws IOException;
  }

  private static void expectClosed(IoCall call) throws IOException {
    try {
      call.run();
    } catch (ClosedChannelException expected) {
      return;
    }
    throw new AssertionError("not closed");
  }
}
