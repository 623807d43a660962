// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.error.UvException;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The kernel tells once of what has come to a connection. Whatever of it is left there, and for whatever reason, is not forgotten: nothing comes
/// later that would tell of it.
final class TcpToldOnceTest {
  /// Longer than it takes the kernel to tell of what has come.
  private static void settle() {
    Time.sleep(Duration.ofMillis(20));
  }

  private static String text(ByteBuffer bytes) {
    return ISO_8859_1.decode(bytes).toString();
  }

  private static String read(TcpStream stream, int room) throws Exception {
    ByteBuffer into = ByteBuffer.allocate(room);
    stream.read(into);
    return text(into.flip());
  }

  @InLoop
  @Test
  void whatASmallBufferLeavesIsTheNextReads() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<String> first = Coroutine.spawn(() -> read(peer.stream(), 3));
      Coroutine.pause();
      peer.send("abcdefgh");

      assertEquals("abc", first.await());
      settle();
      assertEquals("def", read(peer.stream(), 3));
      assertEquals("gh", read(peer.stream(), 3));
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatFillsTheBufferExactlyIsFollowedByWhatComesLater(boolean slowly) throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      for (int i = 0; i < 50; i++) {
        Coroutine<String> reading = Coroutine.spawn(() -> read(peer.stream(), 4));
        if (slowly && i % 10 == 0) {
          settle();
        }
        peer.send("ping");
        assertEquals("ping", reading.await());
      }
      peer.endOutput();
      assertNull(peer.stream().read());
    }
  }

  @InLoop
  @Test
  void whatComesWhileNobodyReadsIsTheNextReads() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      for (int i = 0; i < 3; i++) {
        peer.send("one");
        settle();
        peer.send("two");
        settle();
        assertEquals("onetwo", text(peer.stream().read()));
      }
      Coroutine<ByteBuffer> reading = Coroutine.spawn(() -> peer.stream().read());
      settle();
      assertFalse(peer.stream().isClosed());
      peer.send("three");
      assertEquals("three", text(reading.await()));
    }
  }

  @InLoop
  @Test
  void whatComesWhileAReadIsCancelledIsTheNextReads() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      for (int i = 0; i < 20; i++) {
        Coroutine<ByteBuffer> cancelled = Coroutine.spawn(() -> peer.stream().read());
        Coroutine.pause();
        if (i % 2 == 0) {
          peer.send("x");
          cancelled.cancel();
        } else {
          cancelled.cancel();
          peer.send("x");
        }
        assertThrows(CancellationException.class, cancelled::await);
        if (i % 3 == 0) {
          settle();
        }
        assertEquals("x", text(peer.stream().read()));
      }
    }
  }

  /// The end comes with the bytes: one event for both.
  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEndThatCameWithBytesIsTheNextReads(boolean waits) throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<ByteBuffer> reading = null;
      if (waits) {
        reading = Coroutine.spawn(() -> peer.stream().read());
        Coroutine.pause();
      }
      peer.send("the last");
      peer.endOutput();
      if (!waits) {
        settle();
      }

      assertEquals("the last", text(reading == null ? peer.stream().read() : reading.await()));
      assertNull(peer.stream().read());
      assertNull(peer.stream().read());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aResetThatCameWhileNobodyReadIsTheNextReads(boolean withBytes) throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("first");
      assertEquals("first", text(peer.stream().read()));
      if (withBytes) {
        peer.send("last");
      }
      peer.reset();
      settle();

      UvException told =
          assertThrows(
              UvException.class,
              () -> {
                while (peer.stream().read() != null) {}
              });
      assertEquals("ECONNRESET", told.code());
    }
  }

  /// A read ends where they are, although there is more behind them.
  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void urgentBytesHideNothing(boolean waits) throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<String> reading = null;
      if (waits) {
        reading = Coroutine.spawn(() -> all(peer.stream(), 10));
        Coroutine.pause();
      }
      peer.send("hello");
      peer.sendUrgently('!');
      peer.send("world");
      settle();

      assertEquals("helloworld", reading == null ? all(peer.stream(), 10) : reading.await());
    }
  }

  /// There the kernel says that there is nothing, if a signal comes.
  @InLoop
  @Test
  void aReadThatASignalStopsAtUrgentBytesIsToldOfAgain() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<ByteBuffer> reading = Coroutine.spawn(() -> peer.stream().read());
      Coroutine.pause();
      try (var _ =
          NativeCalls.replace("recv", NativeCalls.failing("recv", UvErrors.UV_EAGAIN, 1))) {
        peer.sendUrgently('!');
        peer.send("x");
        assertEquals("x", text(reading.await()));
      }
    }
  }

  private static String all(TcpStream stream, int length) throws Exception {
    StringBuilder all = new StringBuilder();
    while (all.length() < length) {
      all.append(text(stream.read()));
    }
    return all.toString();
  }

  /// An error is thrown while the bytes are fetched: the loop's run ends with it, and who goes on has lost nothing.
  @Test
  void whatCouldNotBeFetchedIsToldOfAgain() throws Exception {
    try (Loop loop = Loop.open()) {
      CompletableFuture<RawPeer> opening = loop.submit(RawPeer::open);
      loop.run(Mode.LOOP);
      RawPeer peer = opening.get();
      CompletableFuture<String> reading = loop.submit(() -> text(peer.stream().read()));
      loop.run(Mode.READY);
      try (var _ = NativeCalls.replace("recv", exhaustedOnce())) {
        peer.send("kept");
        assertThrows(OutOfMemoryError.class, () -> loop.run(Mode.LOOP));
        loop.run(Mode.LOOP);
      }
      assertEquals("kept", reading.get());
      peer.close();
      loop.run(Mode.LOOP);
    }
  }

  private static MethodHandle exhaustedOnce() throws ReflectiveOperationException {
    AtomicInteger calls = new AtomicInteger();
    BooleanSupplier isFirst = () -> calls.getAndIncrement() == 0;
    MethodHandle first =
        MethodHandles.publicLookup()
            .findVirtual(
                BooleanSupplier.class, "getAsBoolean", MethodType.methodType(boolean.class))
            .bindTo(isFirst);
    MethodHandle thrown =
        MethodHandles.throwException(long.class, OutOfMemoryError.class)
            .bindTo(new OutOfMemoryError("planted"));
    return MethodHandles.guardWithTest(
        first,
        MethodHandles.dropArguments(thrown, 0, NativeCalls.type("recv").parameterList()),
        NativeCalls.target("recv"));
  }
}
