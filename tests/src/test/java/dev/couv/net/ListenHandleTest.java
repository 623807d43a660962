// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Status;
import dev.couv.error.UvException;
import dev.couv.host.Listening;
import dev.couv.strand.Suspension;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import dev.couv.world.Request;
import dev.couv.world.TcpHandle;
import dev.couv.world.TcpListenHandle;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// What libuv tells a listener that a test cannot make the system do.
@InLoop
final class ListenHandleTest {
  private static TcpHandle accept(TcpListenHandle handle) throws Exception {
    Request<? extends TcpHandle> accept = handle.accept();
    Suspension.await(accept);
    return accept.finish();
  }

  private static TcpListenHandle open() {
    return Listening.open(Suspension.loop("test"));
  }

  @Test
  void failureWakesTheAcceptorAndIsToldOnce() throws Exception {
    TcpListenHandle handle = open();
    Coroutine<?> first = Coroutine.spawn(() -> accept(handle));
    Coroutine.pause();
    Listening.tell(handle, UvErrors.UV_EMFILE);

    UvException thrown = assertThrows(UvException.class, first::await);
    assertEquals("EMFILE", thrown.code());
    assertEquals("accept", thrown.call());
    assertEquals(handle.toString(), thrown.subject());
    Coroutine<?> second = Coroutine.spawn(() -> accept(handle));
    Coroutine.pause();
    assertEquals(Status.SUSPENDED, second.status());
    second.cancel();
    handle.close();
  }

  /// Everything that happens when there are no descriptors, for a program that has none left to load
  /// classes with.
  static void exhaust() throws Exception {
    TcpListenHandle handle = open();
    Coroutine<?> first = Coroutine.spawn(() -> accept(handle));
    Coroutine.pause();
    Listening.tell(handle, UvErrors.UV_EMFILE);
    assertEquals("EMFILE accept", assertThrows(UvException.class, first::await).code() + " accept");
    Listening.tell(handle, 0);
    handle.close();
  }

  @Test
  void connectionThatCameWithoutDescriptorsIsAcceptedWhenThereAreSome() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      Coroutine<?> told = Coroutine.spawn(listener::accept);
      Coroutine.pause();
      Coroutine<TcpStream> second;
      SocketChannel client;
      try (var _ =
          NativeCalls.replace("dup", NativeCalls.failing("dup", UvErrors.code("EMFILE")))) {
        Listening.tell(listener.socket(), UvErrors.UV_EMFILE);
        assertThrows(UvException.class, told::await);
        second = Coroutine.spawn(listener::accept);
        client = RawPeer.dial(listener);
        Time.sleep(Duration.ofMillis(50));
        assertEquals(Status.SUSPENDED, second.status(), "told once");
      }

      try (TcpStream accepted = second.await()) {
        assertEquals(client.getLocalAddress(), accepted.remote());
      }
      client.close();
      TcpPair.through(listener).close();
    }
  }

  @Test
  void acceptorThatLeavesWhileThereAreNoDescriptorsLeavesTheConnectionToTheNext() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      SocketChannel client;
      try (var _ =
          NativeCalls.replace("dup", NativeCalls.failing("dup", UvErrors.code("EMFILE")))) {
        Listening.tell(listener.socket(), UvErrors.UV_EMFILE);
        client = RawPeer.dial(listener);
        assertThrows(UvException.class, listener::accept);
        assertThrows(
            TimeoutException.class,
            () -> Time.timeout(Duration.ofMillis(30), () -> listener.accept()));
      }

      listener.accept().close();
      client.close();
    }
  }

  @Test
  void listenerIsClosedWhileThereAreNoDescriptors() throws Exception {
    TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
    try (var _ = NativeCalls.replace("dup", NativeCalls.failing("dup", UvErrors.code("EMFILE")))) {
      Listening.tell(listener.socket(), UvErrors.UV_EMFILE);
      SocketChannel client = RawPeer.dial(listener);
      assertThrows(UvException.class, listener::accept);
      Coroutine<?> waiting = Coroutine.spawn(listener::accept);
      Time.sleep(Duration.ofMillis(5));

      listener.close();

      assertThrows(AsynchronousCloseException.class, waiting::await);
      assertTrue(RawPeer.hearsTheEnd(client));
      client.close();
    }
  }

  @Test
  void failureThatNobodyWaitedForIsToldToTheNextAcceptor() throws Exception {
    TcpListenHandle handle = open();
    Listening.tell(handle, UvErrors.UV_ENFILE);

    UvException thrown = assertThrows(UvException.class, () -> accept(handle));

    assertEquals("ENFILE", thrown.code());
    handle.close();
  }

  /// As libuv does when it cannot make a stream of the descriptor: it closes that, and goes on.
  @Test
  void connectionThatLibuvDroppedIsToldAndTheListenerGoesOn() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      SocketChannel dropped = RawPeer.dial(listener);
      try (var _ = NativeCalls.replace("uv_accept", acceptingAndFailing())) {
        UvException thrown = assertThrows(UvException.class, listener::accept);
        assertEquals("EIO", thrown.code());
      }

      assertTrue(RawPeer.hearsTheEnd(dropped));
      dropped.close();
      Coroutine<TcpStream> acceptor = Coroutine.spawn(listener::accept);
      SocketChannel next = RawPeer.dial(listener);
      try (TcpStream accepted = acceptor.await()) {
        assertEquals(next.getLocalAddress(), accepted.remote());
      }
      next.close();
      assertTrue(listener.isOpen());
    }
  }

  private static MethodHandle acceptingAndFailing() {
    int code = UvErrors.code("EIO");
    MethodHandle constant =
        MethodHandles.dropArguments(MethodHandles.constant(int.class, code), 0, int.class);
    return MethodHandles.filterReturnValue(NativeCalls.target("uv_accept"), constant);
  }
}
