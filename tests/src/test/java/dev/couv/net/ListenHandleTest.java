// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Suspension;
import dev.couv.error.UvException;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/// What libuv tells a listener that a test cannot make the system do.
final class ListenHandleTest {
  private static TcpStream accept(ListenHandle<TcpStream> handle) throws Exception {
    AcceptOperation<TcpStream> accept = new AcceptOperation<>(handle);
    Suspension.await(accept);
    return accept.finish();
  }

  private static ListenHandle<TcpStream> open() {
    ListenHandle<TcpStream> handle =
        new ListenHandle<>(Suspension.loop("test"), StreamKind.TCP, "a listener");
    assertEquals(0, handle.init());
    return handle;
  }

  @Test
  void failureWakesTheAcceptorAndIsToldOnce() throws Exception {
    Loop.run(
        () -> {
          ListenHandle<TcpStream> handle = open();
          Coroutine<?> first = Coroutine.spawn(() -> accept(handle));
          Coroutine.pause();
          handle.onConnection(UvErrors.UV_EMFILE);

          UvException thrown = assertThrows(UvException.class, first::await);
          assertEquals("EMFILE", thrown.code());
          assertEquals("accept", thrown.call());
          assertEquals("a listener", thrown.subject());
          Coroutine<?> second = Coroutine.spawn(() -> accept(handle));
          Coroutine.pause();
          assertEquals(dev.couv.coro.Status.SUSPENDED, second.status());
          second.cancel();
          handle.close();
        });
  }

  @Test
  void failureThatNobodyWaitedForIsToldToTheNextAcceptor() throws Exception {
    Loop.run(
        () -> {
          ListenHandle<TcpStream> handle = open();
          handle.onConnection(UvErrors.UV_ENFILE);

          UvException thrown = assertThrows(UvException.class, () -> accept(handle));

          assertEquals("ENFILE", thrown.code());
          handle.close();
        });
  }

  /// As libuv does when it cannot make a stream of the descriptor: it closes that, and goes on.
  @Test
  void connectionThatLibuvDroppedIsToldAndTheListenerGoesOn() throws Exception {
    Loop.run(
        () -> {
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
        });
  }

  private static MethodHandle acceptingAndFailing() {
    int code = UvErrors.code("EIO");
    MethodHandle constant =
        MethodHandles.dropArguments(MethodHandles.constant(int.class, code), 0, int.class);
    return MethodHandles.filterReturnValue(NativeCalls.target("uv_accept"), constant);
  }
}
