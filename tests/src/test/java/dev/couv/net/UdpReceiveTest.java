// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.net.Datagrams.bound;
import static dev.couv.net.Datagrams.received;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.BusyException;
import dev.couv.error.UvException;
import dev.couv.loop.CallCount;
import dev.couv.stream.Coroutines;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UdpReceiveTest {
  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  @Behaviour({"NW16", "NW20"})
  void datagramComesWithItsSenderAndLength(String literal) throws Exception {
    try (UdpSocket here = Udp.bind(TcpPair.address(literal, 0));
        UdpSocket there = Udp.bind(TcpPair.address(literal, 0))) {
      for (ByteBuffer buffer : List.of(ByteBuffer.allocate(128), ByteBuffer.allocateDirect(128))) {
        there.send(ByteBuffer.wrap(new byte[64]), here.local());

        Datagram datagram = here.receive(buffer);

        assertEquals(new Datagram(there.local(), 64, false), datagram);
        assertEquals(64, buffer.position());
      }
    }
  }

  @InLoop
  @Test
  @Behaviour("NW17")
  void whatThereIsNoRoomForIsLostAndTheRestOfTheBufferUntouched() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      byte[] sent = new byte[64];
      java.util.Arrays.fill(sent, (byte) 7);
      for (ByteBuffer buffer : List.of(ByteBuffer.allocate(128), ByteBuffer.allocateDirect(128))) {
        there.send(ByteBuffer.wrap(sent), here.local());
        buffer.position(64).limit(96);

        assertEquals(new Datagram(there.local(), 32, true), here.receive(buffer));

        assertEquals(96, buffer.position());
        buffer.clear();
        for (int i = 0; i < 128; i++) {
          assertEquals(i >= 64 && i < 96 ? 7 : 0, buffer.get(i), "byte " + i);
        }
      }
      there.send(bytes("next"), here.local());
      assertEquals("next", received(here));
    }
  }

  @InLoop
  @Test
  void emptyDatagramsAndEmptyBuffersAreNothingSpecial() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      there.send(ByteBuffer.allocate(0), here.local());
      there.send(bytes("dropped"), here.local());
      there.send(bytes("kept"), here.local());

      assertEquals(new Datagram(there.local(), 0, false), here.receive(ByteBuffer.allocate(10)));
      assertEquals(new Datagram(there.local(), 0, true), here.receive(ByteBuffer.allocate(0)));
      assertEquals("kept", received(here));
    }
  }

  @InLoop
  @Test
  void longestDatagramArrivesWhole() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      byte[] sent = new byte[65507];
      for (int i = 0; i < sent.length; i++) {
        sent[i] = (byte) (i * 31);
      }
      there.sendBuffer(200_000);
      ByteBuffer buffer = ByteBuffer.allocate(65507);

      there.send(ByteBuffer.wrap(sent), here.local());

      assertEquals(new Datagram(there.local(), 65507, false), here.receive(buffer));
      assertEquals(ByteBuffer.wrap(sent), buffer.flip());
    }
  }

  @InLoop
  @Test
  void batchTakesWhatHasCome() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound();
        CallCount starts = new CallCount("uv_udp_recv_start")) {
      for (int i = 0; i < 10; i++) {
        there.send(bytes("datagram " + i), here.local());
      }
      ByteBuffer[] buffers = new ByteBuffer[6];
      java.util.Arrays.setAll(
          buffers, i -> i % 2 == 0 ? ByteBuffer.allocate(20) : ByteBuffer.allocateDirect(20));

      List<Datagram> first = here.receive(buffers);

      assertEquals(6, first.size());
      for (int i = 0; i < 6; i++) {
        assertEquals(there.local(), first.get(i).from());
        assertEquals("datagram " + i, UTF_8.decode(buffers[i].flip()).toString());
      }
      java.util.Arrays.setAll(buffers, i -> ByteBuffer.allocate(3));
      List<Datagram> rest = here.receive(buffers);
      assertEquals(4, rest.size());
      assertTrue(rest.stream().allMatch(Datagram::truncated));
      assertEquals(0, buffers[4].position());
      assertEquals(1, starts.get());
    }
  }

  @InLoop
  @Test
  void receivingManyIsStartedOnceAndKeepsTheirOrder() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound();
        CallCount starts = new CallCount("uv_udp_recv_start");
        CallCount stops = new CallCount("uv_udp_recv_stop")) {
      for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 50; i++) {
          there.send(bytes(round + "." + i), here.local());
        }
        for (int i = 0; i < 50; i++) {
          assertEquals(round + "." + i, received(here));
        }
      }
      assertTrue(starts.get() <= 1 + stops.get(), "starts: " + starts.get());
    }
  }

  @InLoop
  @Test
  void batchNeedsABuffer() throws Exception {
    try (UdpSocket here = bound()) {
      assertThrows(IllegalArgumentException.class, () -> here.receive(new ByteBuffer[0]));
      assertThrows(NullPointerException.class, () -> here.receive(new ByteBuffer[] {null}));
    }
  }

  @InLoop
  @Test
  @Behaviour("NW12")
  void receiveNeedsWritableMemory() throws Exception {
    try (UdpSocket here = bound()) {
      assertThrows(NullPointerException.class, () -> here.receive((ByteBuffer) null));
      assertThrows(
          IllegalArgumentException.class,
          () -> here.receive(ByteBuffer.allocate(1).asReadOnlyBuffer()));
    }
  }

  @InLoop
  @Test
  @Behaviour("NW13")
  void secondReceiverIsRefused() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      Coroutine<String> first = Coroutine.spawn(() -> received(here));
      Coroutine.pause();

      assertThrows(BusyException.class, () -> received(here));

      there.send(bytes("for the first"), here.local());
      assertEquals("for the first", first.await());
    }
  }

  @InLoop
  @Test
  @Behaviour("NW15")
  void closingWakesTheReceiver() throws Exception {
    UdpSocket here = bound();
    Coroutine<String> waiting = Coroutine.spawn(() -> received(here));
    Coroutine.pause();

    here.close();

    assertThrows(AsynchronousCloseException.class, waiting::await);
    assertThrows(ClosedChannelException.class, () -> received(here));
    assertFalse(here.isOpen());
    here.close();
  }

  @InLoop
  @Test
  @Behaviour("NW19")
  void nextReceiverMayBeAnother() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      Coroutine<String> second = Coroutine.create(() -> received(here));
      Coroutine<String> first =
          Coroutine.spawn(
              () -> {
                String mine = received(here);
                second.resume();
                return mine;
              });
      there.send(bytes("one"), here.local());
      there.send(bytes("two"), here.local());

      assertEquals("one", first.await());
      assertEquals("two", second.await());
    }
  }

  @InLoop
  @Test
  @Behaviour("NW23")
  void resumedReceiverGetsTheValuesAndTheSocketGoesOn() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      List<Object> told = new ArrayList<>();
      Coroutine<String> receiver =
          Coroutine.spawn(
              () -> {
                for (int i = 0; i < 2; i++) {
                  Resumed resumed = assertThrows(Resumed.class, () -> received(here));
                  told.addAll(resumed.values());
                }
                return received(here);
              });
      Coroutine.pause();

      receiver.resume("a");
      receiver.resume("b");
      there.send(bytes("after all"), here.local());

      assertEquals("after all", receiver.await());
      assertEquals(List.of("a", "b"), told);
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void datagramOfAReceiverThatWasResumedInsteadIsTheNextOnes(boolean direct) throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      Coroutine<Datagram> receiver =
          Coroutine.spawn(
              () -> here.receive(direct ? ByteBuffer.allocateDirect(9) : ByteBuffer.allocate(9)));
      Coroutine.pause();
      there.send(bytes("one"), here.local());
      there.send(bytes("two"), here.local());
      Coroutines.pauseUntilReady(receiver);

      assertThrows(Resumed.class, () -> receiver.resume());

      assertEquals("one", received(here));
      assertEquals("two", received(here));
    }
  }

  @InLoop
  @Test
  void batchOfAReceiverThatWasResumedInsteadIsTheNextOnesInOrder() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      ByteBuffer[] buffers = {ByteBuffer.allocate(9), ByteBuffer.allocateDirect(9)};
      Coroutine<List<Datagram>> receiver = Coroutine.spawn(() -> here.receive(buffers));
      Coroutine.pause();
      for (String each : List.of("one", "two", "three")) {
        there.send(bytes(each), here.local());
      }
      Coroutines.pauseUntilReady(receiver);

      assertThrows(Resumed.class, () -> receiver.resume());

      assertEquals("one", received(here));
      assertEquals("two", received(here));
      assertEquals("three", received(here));
      assertEquals(0, buffers[0].position());
    }
  }

  @InLoop
  @Test
  void cancelAndTimeoutLoseNothing() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      Coroutine<String> cancelled = Coroutine.spawn(() -> received(here));
      Coroutine.pause();
      cancelled.cancel();
      assertThrows(CancellationException.class, cancelled::await);
      assertThrows(
          TimeoutException.class, () -> Time.timeout(Duration.ofMillis(1), () -> received(here)));

      there.send(bytes("late"), here.local());

      assertEquals("late", received(here));
    }
  }

  @InLoop
  @Test
  void cancelledCoroutineReceivesNothing() throws Exception {
    try (UdpSocket here = bound()) {
      Coroutine<Void> coroutine =
          Coroutine.spawn(
              () -> {
                Coroutine.current().cancel();
                assertThrows(Cancelled.class, () -> received(here));
                assertThrows(Cancelled.class, () -> here.send(bytes("x"), here.local()));
              });
      coroutine.await();
    }
  }

  @InLoop
  @Test
  void memoryThatIsFreedWhileReceivingIsNotTouched() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      Arena arena = Arena.ofShared();
      ByteBuffer gone = arena.allocate(10).asByteBuffer();
      Coroutine<Datagram> receiver = Coroutine.spawn(() -> here.receive(gone));
      Coroutine.pause();
      arena.close();

      there.send(bytes("safe"), here.local());

      assertThrows(IllegalStateException.class, receiver::await);
      assertEquals("safe", received(here));
    }
  }

  @InLoop
  @Test
  void deadPeerOfAConnectedSocketIsReportedAndTheSocketGoesOn() throws Exception {
    try (UdpSocket here = bound()) {
      InetSocketAddress nobody;
      // An address of its own, at which no other program binds anything meanwhile.
      String own = "127.41." + ProcessHandle.current().pid() % 250 + ".7";
      try (UdpSocket gone = Udp.bind(TcpPair.address(own, 0))) {
        nobody = gone.local();
      }
      here.connect(nobody);
      here.send(bytes("anybody?"));

      UvException thrown = assertThrows(UvException.class, () -> received(here));

      assertEquals("ECONNREFUSED", thrown.code());
      assertEquals("receive", thrown.call());
      try (UdpSocket now = Udp.bind(nobody)) {
        now.send(bytes("here now"), here.local());
        assertEquals("here now", received(here));
      }
    }
  }

  @Test
  void anotherThreadIsRefused() throws Exception {
    Loop.run(
        () -> {
          try (UdpSocket here = bound()) {
            Throwable thrown =
                Loop.offload(
                    () -> {
                      try {
                        here.trySend(bytes("x"), TcpPair.address("127.0.0.1", 9));
                        return null;
                      } catch (Throwable refused) {
                        return refused;
                      }
                    });
            assertInstanceOf(IllegalStateException.class, thrown);
          }
        });
    assertThrows(IllegalStateException.class, Datagrams::bound);
  }
}
