// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.Utf8.read;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.stream.ByteStream;
import dev.couv.stream.Coroutines;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.uv.Memory;
import dev.couv.uv.UvPipe;
import dev.couv.world.AddressText;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sockets that go through a local socket, both ends of which are in this process.
final class PassedSocketsTest {
  private static Received receive(LocalStream stream) throws IOException {
    return stream.receive(ByteBuffer.allocate(100));
  }

  /// Fills what the system takes, so that the next write must wait. How many bytes that are.
  private static int fill(LocalStream stream) throws IOException {
    int written = 0;
    for (int last; (last = stream.tryWrite(ByteBuffer.allocate(1 << 16))) > 0; ) {
      written += last;
    }
    return written;
  }

  private static void drain(LocalStream stream, int bytes) throws IOException {
    stream.readFully(ByteBuffer.allocate(bytes));
  }

  @InLoop
  @Test
  @Behaviour("PI08")
  void connectionIsPassedAndTheCopyOutlivesTheOriginal() throws Exception {
    for (String literal : new String[] {"127.0.0.1", "::1"}) {
      try (Pair pair = LocalStream.pair();
          TcpPair tcp = TcpPair.open(literal)) {
        InetSocketAddress remote = tcp.server().remote();
        pair.first().send(bytes("take it"), tcp.server());
        assertTrue(tcp.server().isOpen());
        tcp.server().close();

        Received received = receive(pair.second());

        assertEquals(7, received.bytes());
        assertFalse(received.isListener());
        assertThrows(IllegalStateException.class, received::listener);
        try (TcpStream copy = assertInstanceOf(TcpStream.class, received.handle())) {
          assertEquals(remote, copy.remote());
          copy.write(bytes("from the copy"));
          assertEquals("from the copy", read(tcp.client()));
          tcp.client().write(bytes("to the copy"));
          assertEquals("to the copy", read(copy));
        }
        assertNull(tcp.client().read());
      }
    }
  }

  @InLoop
  @Test
  void localSocketIsPassedAndCanPassOthers() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      pair.first().send(bytes("x"), inner.first());
      inner.first().close();
      try (LocalStream copy =
          assertInstanceOf(LocalStream.class, receive(pair.second()).handle())) {
        inner.second().send(bytes("y"), pair.first());
        try (ByteStream itself = receive(copy).handle()) {
          itself.write(bytes("round"));
          assertEquals("round", read(pair.second()));
        }
      }
    }
  }

  @InLoop
  @Test
  void listenerIsPassedAndAccepts() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      InetSocketAddress at;
      try (TcpListener original = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
        at = original.local();
        pair.first().send(bytes("x"), original);
      }
      Received received = receive(pair.second());
      assertTrue(received.isListener());
      try (TcpListener copy = assertInstanceOf(TcpListener.class, received.listener());
          TcpStream client = Tcp.connect(at);
          TcpStream server = copy.accept()) {
        assertEquals(at, copy.local());
        assertEquals("tcp listener " + AddressText.of(at), copy.toString());
        assertFalse(received.handle().isOpen(), "it is the listener now");
        server.write(bytes("served"));
        assertEquals("served", read(client));
      }
    }
  }

  @InLoop
  @Test
  void localListenerIsPassedAndAccepts(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("socket");
    try (Pair pair = LocalStream.pair();
        LocalListener original = Local.listen(path)) {
      pair.first().send(bytes("x"), original);
      Received received = receive(pair.second());
      Coroutine<LocalStream> here = Coroutine.spawn(original::accept);
      try (LocalListener copy = assertInstanceOf(LocalListener.class, received.listener())) {
        assertEquals(original.local(), copy.local());
        Coroutine<LocalStream> there = Coroutine.spawn(copy::accept);
        try (LocalStream one = Local.connect(path);
            LocalStream two = Local.connect(path)) {
          // Both accept, in whichever order.
          while (here.status().toString().equals("SUSPENDED")
              && there.status().toString().equals("SUSPENDED")) {
            Coroutine.pause();
          }
          assertTrue(one.isOpen() && two.isOpen());
        }
        here.cancel();
        there.cancel();
        closeIfAccepted(here);
        closeIfAccepted(there);
      }
    }
  }

  private static void closeIfAccepted(Coroutine<LocalStream> accepting) throws Exception {
    try {
      accepting.await().close();
    } catch (CancellationException cancelled) {
      // it had not accepted
    }
  }

  @InLoop
  @Test
  void manyInARowMixedWithDataKeepTheirOrder() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      Coroutine<Void> sender =
          Coroutine.spawn(
              () -> {
                for (int i = 0; i < 40; i++) {
                  if (i % 3 == 0) {
                    pair.first().write(bytes("data;"));
                  }
                  try (Pair inner = LocalStream.pair()) {
                    inner.second().write(bytes("number " + i));
                    pair.first().send(bytes("handle;"), inner.first());
                  }
                }
                pair.first().shutdown();
              });
      int handles = 0;
      StringBuilder data = new StringBuilder();
      for (Received received; (received = receiveInto(pair.second(), data)).bytes() >= 0; ) {
        try (ByteStream handle = received.handle()) {
          if (handle != null) {
            assertEquals("number " + handles++, read(handle));
          }
        }
      }
      sender.await();
      assertEquals(40, handles);
      assertEquals(14 * 5 + 40 * 7, data.length());
    }
  }

  private static Received receiveInto(LocalStream stream, StringBuilder data) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(100);
    Received received = stream.receive(buffer);
    data.append(UTF_8.decode(buffer.flip()));
    return received;
  }

  @InLoop
  @Test
  void socketsWaitForWhoReceivesThem() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      pair.second().acceptSockets(true);
      pair.first().send(bytes("read by read"), inner.first());
      assertEquals("read by read", read(pair.second()));

      Received received = receive(pair.second());

      assertEquals(0, received.bytes());
      received.handle().close();
    }
  }

  @InLoop
  @Test
  void socketsNobodyReceivesAreClosedWithTheStream() throws Exception {
    try (Pair read = LocalStream.pair();
        Pair unread = LocalStream.pair()) {
      try (Pair pair = LocalStream.pair()) {
        pair.second().acceptSockets(true);
        pair.first().send(bytes("x"), read.first());
        assertEquals("x", read(pair.second()));
        pair.first().send(bytes("y"), unread.first());
        read.first().close();
        unread.first().close();
      }
      assertNull(read.second().read());
      assertNull(unread.second().read());
    }
  }

  @InLoop
  @Test
  void whoOnlyReadsHoldsNoDescriptorThatWasPassed() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      pair.first().send(bytes("x"), inner.first());
      inner.first().close();
      assertEquals("x", read(pair.second()));

      assertNull(inner.second().read(), "the copy is closed, too");
      pair.first().send(bytes("y"), pair.first());
      assertEquals("y", read(pair.second()));
      pair.first().write(bytes("bytes"));
      Received received = receive(pair.second());
      assertEquals(5, received.bytes());
      assertNull(received.handle());
    }
  }

  @InLoop
  @Test
  void whoSendsDoesNotAcceptThereby() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      int filled = fill(pair.first());
      Coroutine<Void> sender =
          Coroutine.spawn(() -> pair.first().send(bytes("mine"), inner.second()));
      Coroutines.pauseUntilPending(pair.first());
      pair.second().send(bytes("x"), inner.first());
      inner.first().close();

      assertEquals("x", read(pair.first()));

      assertNull(inner.second().read());
      drain(pair.second(), filled);
      sender.await();
      receive(pair.second()).handle().close();
    }
  }

  @InLoop
  @Test
  void whatWaitsIsClosedWhenSocketsAreNotAcceptedAnyMore() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      pair.second().acceptSockets(true);
      pair.first().send(bytes("x"), inner.first());
      inner.first().close();
      assertEquals("x", read(pair.second()));

      pair.second().acceptSockets(false);

      assertNull(inner.second().read());
    }
  }

  @InLoop
  @Test
  void endsOfAPipeThatWerePassedReadAndWrite() throws Exception {
    long ends = Memory.malloc(2 * Integer.BYTES);
    assertEquals(0, UvPipe.uv_pipe(ends, 0, 0));
    int[] pipe = {Memory.getInt(ends), Memory.getInt(ends + Integer.BYTES)};
    Memory.free(ends);
    try (Pair pair = LocalStream.pair()) {
      try (LocalStream in = LocalStream.open(pipe[0]);
          LocalStream out = LocalStream.open(pipe[1])) {
        out.write(bytes("through our own ends"));
        assertEquals("through our own ends", read(in));
        pair.first().send(bytes("r"), in);
        pair.first().send(bytes("w"), out);
      }
      try (ByteStream in = receive(pair.second()).handle();
          ByteStream out = receive(pair.second()).handle()) {
        out.write(bytes("through the copies"));
        assertEquals("through the copies", read(in));
        out.write(bytes("as bytes alone"));
        Received received = receive((LocalStream) in);
        assertEquals(14, received.bytes());
        assertNull(received.handle());
        out.shutdown();
        assertNull(in.read());
      }
    }
  }

  @InLoop
  @Test
  void onlySoManyWaitToBeReceived() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      pair.second().acceptSockets(true);
      for (int i = 0; i < 70; i++) {
        pair.first().send(bytes("x"), inner.first());
        assertEquals("x", read(pair.second()));
      }
      for (int i = 0; i < 64; i++) {
        receive(pair.second()).handle().close();
      }
      pair.first().write(bytes("end"));
      assertNull(receive(pair.second()).handle());
    }
  }

  @InLoop
  @Test
  @Behaviour("PI07")
  void onlySocketsArePassedAndWithAByteAtLeast() throws Exception {
    ByteStream other =
        (ByteStream)
            Proxy.newProxyInstance(
                ByteStream.class.getClassLoader(),
                new Class<?>[] {ByteStream.class},
                (_, method, _) -> method.getName().equals("toString") ? "another" : null);
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      assertThrows(IllegalArgumentException.class, () -> pair.first().send(bytes("x"), other));
      assertThrows(
          IllegalArgumentException.class,
          () -> pair.first().send(ByteBuffer.allocate(0), inner.first()));
      inner.first().close();
      assertThrows(
          ClosedChannelException.class, () -> pair.first().send(bytes("x"), inner.first()));
      pair.second().close();
      assertThrows(IOException.class, () -> pair.first().send(bytes("x"), inner.second()));
      pair.first().close();
      assertThrows(
          ClosedChannelException.class, () -> pair.first().send(bytes("x"), inner.second()));
      assertThrows(ClosedChannelException.class, () -> receive(pair.first()));
    }
  }

  @InLoop
  @Test
  void cancelledReceiverLosesNeitherBytesNorSocket() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      Coroutine<Received> cancelled = Coroutine.spawn(() -> receive(pair.second()));
      Coroutine.pause();
      cancelled.cancel();
      assertThrows(CancellationException.class, cancelled::await);
      Coroutine<Received> resumed = Coroutine.spawn(() -> receive(pair.second()));
      Coroutine.pause();
      pair.first().send(bytes("still here"), inner.first());
      Coroutines.pauseUntilReady(resumed);
      assertThrows(Resumed.class, () -> resumed.resume());

      Received received = receive(pair.second());

      assertEquals(10, received.bytes());
      received.handle().close();
    }
  }

  @InLoop
  @Test
  void socketIsPassedWhenThereIsRoomAlthoughItWasClosedMeanwhile() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      int filled = fill(pair.first());
      Coroutine<Void> sender =
          Coroutine.spawn(() -> pair.first().send(bytes("patience"), inner.first()));
      Coroutines.pauseUntilPending(pair.first());

      inner.first().close();
      assertFalse(inner.first().isOpen());
      drain(pair.second(), filled);
      sender.await();

      Received received = receive(pair.second());
      assertEquals(8, received.bytes());
      try (ByteStream copy = received.handle()) {
        copy.write(bytes("alive"));
        assertEquals("alive", read(inner.second()));
      }
      assertNull(inner.second().read());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sendThatWasLeftStillGoes(boolean cancel) throws Exception {
    try (Pair pair = LocalStream.pair();
        TcpPair tcp = TcpPair.open()) {
      int filled = fill(pair.first());
      ByteBuffer bytes = bytes("on its way");
      Coroutine<Void> sender = Coroutine.spawn(() -> pair.first().send(bytes, tcp.server()));
      Coroutines.pauseUntilPending(pair.first());
      if (cancel) {
        sender.cancel();
        assertThrows(CancellationException.class, sender::await);
      } else {
        assertThrows(Resumed.class, () -> sender.resume());
      }
      assertFalse(bytes.hasRemaining());
      tcp.server().reset(); // it is on its way, so this is a plain close

      drain(pair.second(), filled);
      try (ByteStream copy = receive(pair.second()).handle()) {
        copy.write(bytes("after all"));
        assertEquals("after all", read(tcp.client()));
      }
    }
  }

  @InLoop
  @Test
  void closingTheStreamEndsTheSendAndFreesTheSocket() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      fill(pair.first());
      Coroutine<Void> sender =
          Coroutine.spawn(() -> pair.first().send(bytes("never"), inner.first()));
      Coroutines.pauseUntilPending(pair.first());
      inner.first().close();

      pair.first().close();

      assertThrows(AsynchronousCloseException.class, sender::await);
      assertNull(inner.second().read());
    }
  }

  @Test
  void loopThatEndsFreesASocketOnItsWay() throws Exception {
    Loop loop = Loop.open();
    loop.spawn(
        () -> {
          Pair pair = LocalStream.pair();
          Pair inner = LocalStream.pair();
          fill(pair.first());
          Coroutine.spawn(() -> pair.first().send(bytes("never"), inner.first()));
          Coroutines.pauseUntilPending(pair.first());
          inner.first().close();
          Coroutine.halt();
          return null;
        });
    for (int i = 0; i < 20; i++) {
      loop.run(dev.couv.coro.Mode.READY);
    }
    loop.close();
  }

  @InLoop
  @Test
  void longMessageGoesWhole() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      ByteBuffer big = ByteBuffer.allocate(1 << 20);
      Coroutine<Void> sender = Coroutine.spawn(() -> pair.first().send(big, inner.first()));
      int bytes = 0;
      int handles = 0;
      while (bytes < 1 << 20) {
        Received received = pair.second().receive(ByteBuffer.allocate(1 << 16));
        bytes += received.bytes();
        if (received.handle() != null) {
          handles++;
          received.handle().close();
        }
      }
      sender.await();
      assertEquals(1, handles);
    }
  }
}
