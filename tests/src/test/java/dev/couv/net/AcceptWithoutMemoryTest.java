// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.error.UvException;
import dev.couv.stream.Coroutines;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

@InLoop
final class AcceptWithoutMemoryTest {
  private static NativeCalls.Replacement exhausted() {
    MethodHandle none = MethodHandles.constant(long.class, 0L);
    return NativeCalls.replace(
        "calloc", MethodHandles.dropArguments(none, 0, NativeCalls.type("calloc").parameterList()));
  }

  @Test
  void acceptFailsAndTheNextOneGetsTheConnection() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      Coroutine<?> acceptor = Coroutine.spawn(listener::accept);
      Coroutine.pause();
      SocketChannel waiting = RawPeer.dial(listener);
      try (var _ = exhausted()) {
        UvException thrown = assertThrows(UvException.class, acceptor::await);
        assertEquals("ENOMEM", thrown.code());
      }

      try (TcpStream accepted = listener.accept()) {
        assertEquals(waiting.getLocalAddress(), accepted.remote());
      }
      waiting.close();
    }
  }

  @Test
  void failureThatACancelledAcceptWasToldIsToldToTheNext() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      Coroutine<?> acceptor = Coroutine.spawn(() -> assertThrows(Resumed.class, listener::accept));
      Coroutine.pause();
      SocketChannel waiting = RawPeer.dial(listener);
      try (var _ = exhausted()) {
        Coroutines.pauseUntilReady(acceptor);
      }

      acceptor.resume();

      assertEquals("ENOMEM", assertThrows(UvException.class, listener::accept).code());
      listener.accept().close();
      waiting.close();
    }
  }
}
