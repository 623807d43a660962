// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Status;
import dev.couv.loop.NativeMemory;
import dev.couv.net.RawPeer;
import dev.couv.net.TcpPair;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamWriteTest {
  private static final int MEGABYTE = 1 << 20;

  /// The kinds of buffer there are to write from.
  enum Source {
    HEAP,
    DIRECT,
    HEAP_SLICE,
    DIRECT_SLICE,
    READ_ONLY_HEAP,
    READ_ONLY_DIRECT;

    /// A buffer whose remaining bytes are these, with others around them.
    ByteBuffer of(byte[] bytes) {
      boolean direct = this == DIRECT || this == DIRECT_SLICE || this == READ_ONLY_DIRECT;
      int size = bytes.length + 11;
      ByteBuffer all = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
      all.position(4).put(bytes).position(4).limit(4 + bytes.length);
      return switch (this) {
        case HEAP, DIRECT -> all;
        case HEAP_SLICE, DIRECT_SLICE -> all.slice().order(ByteOrder.LITTLE_ENDIAN);
        case READ_ONLY_HEAP, READ_ONLY_DIRECT -> all.asReadOnlyBuffer();
      };
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void echoReturnsEverySizeFromEveryKindOfBuffer(Source source) throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> echo = Coroutine.spawn(() -> ByteStream.copy(pair.server(), pair.server()));
      for (int size :
          List.of(1, 2, 63, 64, 1000, 4096, 65_535, 65_536, 65_537, 200_000, 1_000_001)) {
        byte[] sent = Bytes.pattern(size);
        ByteBuffer buffer = source.of(sent);
        int end = buffer.limit();

        Coroutine<?> writer = Coroutine.spawn(() -> pair.client().write(buffer));
        byte[] received = Bytes.readFully(pair.client(), size);
        writer.await();

        assertArrayEquals(sent, received, () -> size + " bytes");
        assertEquals(end, buffer.position());
        assertEquals(end, buffer.limit());
      }
      pair.client().shutdown();
      echo.await();
    }
  }

  @InLoop
  @Test
  void writeLeavesTheBytesOfTheBufferAsTheyWere() throws Exception {
    byte[] sent = Bytes.pattern(300_000);
    try (TcpPair pair = TcpPair.open()) {
      byte[] array = sent.clone();
      Coroutine<?> writer = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(array)));
      Bytes.readFully(pair.server(), sent.length);
      writer.await();

      assertArrayEquals(sent, array);
    }
  }

  @InLoop
  @Test
  void bytesAreTheCallersAgainAsSoonAsTheWriteReturns() throws Exception {
    byte[] sent = Bytes.pattern(500_000);
    try (TcpPair pair = TcpPair.open()) {
      ByteBuffer direct = Bytes.direct(sent);
      Coroutine.spawn(
          () -> {
            pair.client().write(direct);
            direct.clear();
            while (direct.hasRemaining()) {
              direct.put((byte) 0);
            }
          });

      assertArrayEquals(sent, Bytes.readFully(pair.server(), sent.length));
    }
  }

  @InLoop
  @Test
  void writeOfNothingReturnsAtOnce() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.stream().write();
      peer.stream().write(ByteBuffer.allocate(0));
      peer.stream().write(ByteBuffer.allocateDirect(4).position(4), ByteBuffer.allocate(0));

      assertEquals(0, peer.stream().tryWrite(ByteBuffer.allocate(0)));
      assertTrue(peer.hasHeardNothing());
    }
  }

  // ---- gathered

  @InLoop
  @Test
  void gatheredWriteSendsMixedBuffersInOrder() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      ByteBuffer[] buffers = {
        Bytes.heap("one"),
        Bytes.direct(new byte[0]),
        Bytes.direct("two".getBytes()),
        ByteBuffer.allocate(0),
        Bytes.heap("--three").position(2),
        Bytes.direct("four!".getBytes()).limit(4).asReadOnlyBuffer(),
      };

      peer.stream().write(buffers);

      assertEquals("onetwothreefour", peer.receive(15));
      for (ByteBuffer buffer : buffers) {
        assertEquals(buffer.limit(), buffer.position());
      }
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(ints = {63, 64, 65, 128, 1000})
  void gatheredWriteTakesAnyNumberOfBuffers(int count) throws Exception {
    byte[] sent = Bytes.pattern(count * 3);
    try (TcpPair pair = TcpPair.open()) {
      ByteBuffer[] buffers = new ByteBuffer[count];
      for (int i = 0; i < count; i++) {
        byte[] three = Arrays.copyOfRange(sent, 3 * i, 3 * i + 3);
        buffers[i] = i % 2 == 0 ? ByteBuffer.wrap(three) : Bytes.direct(three);
      }

      pair.client().write(buffers);

      assertArrayEquals(sent, Bytes.readFully(pair.server(), sent.length));
    }
  }

  @InLoop
  @Test
  void gatheredWriteOfRandomShapesArrivesAsOneSequence() throws Exception {
    Random random = new Random(4711);
    try (TcpPair pair = TcpPair.open()) {
      for (int round = 0; round < 40; round++) {
        byte[] sent = Bytes.pattern(random.nextInt(300_000));
        List<ByteBuffer> buffers = cut(sent, random);
        Coroutine<?> writer =
            Coroutine.spawn(() -> pair.client().write(buffers.toArray(ByteBuffer[]::new)));
        byte[] received = Bytes.readFully(pair.server(), sent.length);
        writer.await();

        assertArrayEquals(sent, received);
        assertTrue(buffers.stream().noneMatch(ByteBuffer::hasRemaining));
      }
    }
  }

  private static List<ByteBuffer> cut(byte[] bytes, Random random) {
    List<ByteBuffer> buffers = new ArrayList<>();
    Source[] sources = Source.values();
    for (int at = 0; at < bytes.length; ) {
      int most = random.nextInt(10) == 0 ? 100_000 : 2000;
      int length = Math.min(random.nextInt(most), bytes.length - at);
      byte[] part = Arrays.copyOfRange(bytes, at, at + length);
      buffers.add(sources[random.nextInt(sources.length)].of(part));
      at += length;
    }
    return buffers;
  }

  @InLoop
  @Test
  void nullAmongTheBuffersIsRefusedAndTheNextWriterHasItsTurn() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      assertThrows(NullPointerException.class, () -> peer.stream().write(null, Bytes.heap("no")));

      peer.stream().write(Bytes.heap("yes"));
      assertEquals("yes", peer.receive(3));
    }
  }

  // ---- several writers

  @InLoop
  @Test
  void writersTakeTurnsInTheOrderTheyCame() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      int size = MEGABYTE;
      List<Integer> finished = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        byte[] message = new byte[size];
        Arrays.fill(message, (byte) ('a' + i));
        int number = i;
        Coroutine.spawn(
            () -> {
              pair.client().write(ByteBuffer.wrap(message, 0, 10), Bytes.direct(message));
              finished.add(number);
            });
      }

      for (int i = 0; i < 8; i++) {
        byte[] expected = new byte[size + 10];
        Arrays.fill(expected, (byte) ('a' + i));
        assertArrayEquals(expected, Bytes.readFully(pair.server(), size + 10));
      }
      Coroutine.pause();
      assertEquals(IntStream.range(0, 8).boxed().toList(), finished);
    }
  }

  @InLoop
  @Test
  void messagesOfConcurrentWritersAreNeverInterleaved() throws Exception {
    int writers = 10;
    int messages = 30;
    try (TcpPair pair = TcpPair.open()) {
      for (int w = 0; w < writers; w++) {
        int writer = w;
        Coroutine.spawn(
            () -> {
              for (int m = 0; m < messages; m++) {
                int length = 1 + (writer * 7919 + m * 104_729) % 30_000;
                byte[] body = new byte[length];
                Arrays.fill(body, (byte) (writer * messages + m));
                ByteBuffer head = ByteBuffer.allocate(12);
                head.putInt(writer).putInt(m).putInt(length).flip();
                pair.client().write(head, ByteBuffer.wrap(body));
              }
            });
      }

      int[] next = new int[writers];
      for (int i = 0; i < writers * messages; i++) {
        ByteBuffer head = ByteBuffer.wrap(Bytes.readFully(pair.server(), 12));
        int writer = head.getInt();
        int message = head.getInt();
        byte[] body = Bytes.readFully(pair.server(), head.getInt());
        assertEquals(next[writer]++, message);
        for (byte each : body) {
          assertEquals((byte) (writer * messages + message), each);
        }
      }
    }
  }

  @InLoop
  @Test
  void writerIsNotOvertakenWhenItMakesRoomForOthers() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      // The 64th await in a row that is ready lets the others run, in the middle of a write.
      Coroutine<?> first =
          Coroutine.spawn(
              () -> {
                for (int i = 0; i < 63; i++) {
                  peer.stream().write();
                }
                peer.stream().write(Bytes.heap("first "));
              });
      Coroutine<?> second = Coroutine.spawn(() -> peer.stream().write(Bytes.heap("second")));
      first.await();
      second.await();

      assertEquals("first second", peer.receive(12));
    }
  }

  @InLoop
  @Test
  void oneReadsWhileAnotherWrites() throws Exception {
    byte[] sent = Bytes.pattern(3 * MEGABYTE);
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> toServer = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(sent)));
      Coroutine<?> toClient = Coroutine.spawn(() -> pair.server().write(Bytes.direct(sent)));
      Coroutine<byte[]> atServer =
          Coroutine.spawn(() -> Bytes.readFully(pair.server(), sent.length));
      Coroutine<byte[]> atClient =
          Coroutine.spawn(() -> Bytes.readFully(pair.client(), sent.length));

      assertArrayEquals(sent, atServer.await());
      assertArrayEquals(sent, atClient.await());
      toServer.await();
      toClient.await();
    }
  }

  @InLoop
  @Test
  @Behaviour("ST29")
  void pairsInParallelDoNotDisturbEachOther() throws Exception {
    try (TcpPair one = TcpPair.open();
        TcpPair two = TcpPair.open()) {
      List<Coroutine<?>> echoes = new ArrayList<>();
      for (TcpPair pair : List.of(one, two)) {
        echoes.add(Coroutine.spawn(() -> ByteStream.copy(pair.server(), pair.server())));
      }
      for (int i = 0; i < 50; i++) {
        one.client().write(Bytes.heap("one" + i % 10));
        two.client().write(Bytes.heap("TWO" + i % 10));

        assertEquals("TWO" + i % 10, Bytes.readText(two.client(), 4));
        assertEquals("one" + i % 10, Bytes.readText(one.client(), 4));
      }
      one.client().shutdown();
      two.client().shutdown();
      for (Coroutine<?> echo : echoes) {
        echo.await();
      }
    }
  }

  // ---- backpressure

  @InLoop
  @Test
  void slowReaderHoldsTheWriterBackAndCostsNoMemory() throws Exception {
    byte[] sent = Bytes.pattern(16 * MEGABYTE);
    try (TcpPair pair = TcpPair.open()) {
      byte[] received = new byte[sent.length];
      ByteBuffer from = ByteBuffer.wrap(sent);
      Coroutine<?> writer = Coroutine.spawn(() -> pair.client().write(from));
      Coroutines.pauseUntilPending(pair.client());
      assertEquals(Status.SUSPENDED, writer.status());
      assertTrue(from.hasRemaining());
      long most = pair.client().pending();
      long memory = NativeMemory.allocatedBytes();
      long mostMemory = memory;

      ByteBuffer into = ByteBuffer.wrap(received);
      while (into.hasRemaining()) {
        into.limit(Math.min(into.position() + 50_000, received.length));
        pair.server().read(into);
        into.limit(received.length);
        most = Math.max(most, pair.client().pending());
        mostMemory = Math.max(mostMemory, NativeMemory.allocatedBytes());
      }
      writer.await();

      assertArrayEquals(sent, received);
      assertEquals(0, pair.client().pending());
      assertTrue(most <= 1 << 16, "pending bytes: " + most);
      assertTrue(mostMemory - memory < 300_000, "native bytes: " + (mostMemory - memory));
    }
  }

  @InLoop
  @Test
  void aHundredStalledWritersHoldOnePieceBetweenThem() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteBuffer large = ByteBuffer.wrap(new byte[20 * MEGABYTE]);
      Coroutine<?> first = Coroutine.spawn(() -> pair.client().write(large));
      Coroutines.pauseUntilPending(pair.client());
      long before = NativeMemory.allocatedBytes();
      List<Coroutine<?>> writers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        writers.add(Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(new byte[70_000]))));
      }
      Coroutine.pause();

      assertTrue(NativeMemory.allocatedBytes() - before < 100_000);
      assertTrue(pair.client().pending() <= 1 << 16);
      writers.forEach(Coroutine::cancel);
      first.cancel();
    }
  }

  @InLoop
  @Test
  void kernelThatTakesEverythingAtOnceDoesNotKeepOthersWaiting() throws Exception {
    MethodHandle taking =
        MethodHandles.lookup()
            .findStatic(StreamWriteTest.class, "takeAll", NativeCalls.type("send"));
    try (TcpPair pair = TcpPair.open();
        var _ = NativeCalls.replace("send", taking)) {
      List<String> story = new ArrayList<>();
      Coroutine<?> writer =
          Coroutine.spawn(
              () -> {
                pair.client().write(ByteBuffer.allocate(16 * MEGABYTE));
                story.add("written");
              });
      Coroutine.pause();
      story.add("other");
      writer.await();

      assertEquals(List.of("other", "written"), story);
    }
  }

  /// Stands for `send`: all of it is gone.
  @SuppressWarnings("UnusedMethod") // called by its handle
  private static long takeAll(int socket, long bytes, long count, int flags) {
    return count;
  }

  // ---- tryWrite, pending

  @InLoop
  @Test
  void tryWriteSendsWhatTheKernelTakesAndNeverWaits() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteBuffer large = Bytes.direct(Bytes.pattern(20 * MEGABYTE));
      int total = 0;
      for (int count; (count = pair.client().tryWrite(large)) > 0; ) {
        total += count;
        assertEquals(total, large.position());
      }

      assertTrue(total > 0);
      assertTrue(large.hasRemaining(), "the kernel took all of it");
      assertEquals(0, pair.client().pending());
      byte[] received = Bytes.readFully(pair.server(), total);
      assertArrayEquals(Arrays.copyOf(Bytes.pattern(20 * MEGABYTE), total), received);
    }
  }

  @InLoop
  @Test
  void tryWriteDoesNotOvertakeAWriter() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      byte[] sent = new byte[20 * MEGABYTE];
      Coroutine<?> writer = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(sent)));
      Coroutines.pauseUntilPending(pair.client());

      ByteBuffer small = Bytes.heap("x");
      assertEquals(0, pair.client().tryWrite(small));
      assertEquals(0, small.position());

      Bytes.readFully(pair.server(), sent.length);
      writer.await();
      assertEquals(1, pair.client().tryWrite(small));
      assertEquals("x", Bytes.readText(pair.server(), 1));
    }
  }

  @Test
  void tryWriteWorksOnTheLoopsThreadBetweenRuns() throws Exception {
    try (Loop loop = Loop.open()) {
      RawPeer[] peer = new RawPeer[1];
      loop.spawn(() -> peer[0] = RawPeer.open());
      loop.run(Mode.LOOP);

      assertEquals(3, peer[0].stream().tryWrite(Bytes.heap("now")));
      assertEquals("now", peer[0].receive(3));
      peer[0].reset();
    }
  }

  @Test
  @Behaviour("ST36")
  void writeAndShutdownOutsideACoroutineAreRefused() throws Exception {
    try (Loop loop = Loop.open()) {
      RawPeer[] peer = new RawPeer[1];
      loop.spawn(() -> peer[0] = RawPeer.open());
      loop.run(Mode.LOOP);
      ByteBuffer bytes = Bytes.heap("no");

      IllegalStateException write =
          assertThrows(IllegalStateException.class, () -> peer[0].stream().write(bytes));
      IllegalStateException shutdown =
          assertThrows(IllegalStateException.class, () -> peer[0].stream().shutdown());

      assertTrue(write.getMessage().contains("write"), write.getMessage());
      assertTrue(shutdown.getMessage().contains("shutdown"), shutdown.getMessage());
      assertEquals(0, bytes.position());
      loop.spawn(() -> peer[0].stream().write(Bytes.heap("yes")));
      assertFalse(loop.run(Mode.LOOP));
      assertEquals("yes", peer[0].receive(3));
      peer[0].reset();
    }
  }

  @InLoop
  @Test
  @Behaviour("ST32")
  void writeToAPeerThatClosesFailsForTheWriter() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> writer =
          Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(new byte[16 * MEGABYTE])));
      Coroutines.pauseUntilPending(pair.client());
      pair.server().close();

      dev.couv.error.UvException thrown =
          assertThrows(dev.couv.error.UvException.class, writer::await);

      assertTrue(List.of("ECONNRESET", "EPIPE").contains(thrown.code()), thrown.code());
      assertEquals("write", thrown.call());
      assertTrue(thrown.subject().startsWith("tcp 127.0.0.1:"), thrown.subject());
      assertThrows(IOException.class, () -> pair.client().write(Bytes.heap("again")));
    }
  }
}
