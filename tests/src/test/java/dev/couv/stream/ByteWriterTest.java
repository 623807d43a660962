// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static dev.couv.stream.Writers.awaitNothingPending;
import static dev.couv.stream.Writers.turns;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.net.TcpPair;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Putting a stream's bytes together.
final class ByteWriterTest {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  @InLoop
  @Test
  void numbersGoInBothOrders() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      out.writeByte(0x1ff);
      out.writeShort(0x1234);
      out.writeInt(-5);
      out.writeLong(6);
      out.writeFloat(1.5f);
      out.writeDouble(2.5);
      out.writeFrame(3, (byte) 'x');
      out.order(ByteOrder.LITTLE_ENDIAN);
      out.writeShort(0x1234);
      out.writeFrame(3, (byte) 'y');
      out.write("ä");
      assertEquals(1 + 2 + 4 + 8 + 4 + 8 + 4 + 2 + 4 + 2, out.pending());
      out.flush();
      assertEquals(0, out.pending());

      ByteReader in = ByteReader.of(pair.server());
      assertEquals(-1, in.readByte());
      assertEquals(0x1234, in.readShort());
      assertEquals(-5, in.readInt());
      assertEquals(6, in.readLong());
      assertEquals(1.5f, in.readFloat());
      assertEquals(2.5, in.readDouble());
      assertArrayEquals(new byte[] {'x'}, in.readFrame(3));
      assertEquals(0x3412, in.readShort());
      assertArrayEquals(new byte[] {'y'}, in.order(ByteOrder.LITTLE_ENDIAN).readFrame(3));
      assertEquals("ä", in.readText(2));
      assertThrows(IllegalArgumentException.class, () -> out.writeFrame(1, new byte[256]));
      assertEquals(0, out.pending());
    }
  }

  @InLoop
  @Test
  void whatIsWrittenInATurnGoesOutTogetherAtItsEnd() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      List<Integer> sizes = new ArrayList<>();
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                for (ByteBuffer piece; (piece = pair.server().read()) != null; ) {
                  sizes.add(piece.remaining());
                }
              });
      for (int i = 0; i < 10; i++) {
        out.write("0123456789");
      }
      awaitNothingPending(out); // nobody flushes

      pair.client().shutdown();
      reader.await();
      assertEquals(List.of(100), sizes);
    }
  }

  @Test
  void whatTheLastCoroutineWroteGoesOutBeforeItsLoopEnds() throws Exception {
    try (var server = java.nio.channels.ServerSocketChannel.open()) {
      server.bind(new java.net.InetSocketAddress("127.0.0.1", 0));
      var address = (java.net.InetSocketAddress) server.getLocalAddress();
      Loop.run(
          () -> {
            var stream = dev.couv.net.Tcp.connect(address);
            ByteWriter.of(stream).write("bye");
          });
      try (var peer = server.accept()) {
        ByteBuffer read = ByteBuffer.allocate(8);
        while (peer.read(read) >= 0) {}
        assertEquals("bye", UTF_8.decode(read.flip()).toString());
      }
    }
  }

  @InLoop
  @Test
  void whatTheKernelDoesNotTakeIsWrittenWhenItDoes() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write("late");
      turns();
      assertEquals(4, out.pending());

      byte[] all = Bytes.readFully(pair.second(), before + 4);
      assertEquals("late", new String(all, before, 4, UTF_8));
      turns();
      assertEquals(0, out.pending());
    }
  }

  @InLoop
  @Test
  @SuppressWarnings("try")
  void whatWasWrittenInAScopeGoesOutWhateverBecomesOfThat() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      try (Scope scope = Scope.open()) {
        scope.spawn(() -> ByteWriter.of(pair.first()).write("late"));
      }
      try (Scope scope = Scope.open()) {
        scope.spawn(
            () -> {
              try {
                Coroutine.halt();
              } finally {
                Coroutine.protect(
                    () -> {
                      ByteWriter.of(pair.first()).write("r");
                      return null;
                    });
              }
            });
        Coroutine.pause();
        scope.cancel();
      }
      assertEquals(
          "later", new String(Bytes.readFully(pair.second(), before + 5), before, 5, UTF_8));
    }
  }

  @InLoop
  @Test
  void aWriterThatIsFarAheadWaits() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      byte[] piece = Bytes.pattern(10_000);
      Coroutine<?> writer =
          Coroutine.spawn(
              () -> {
                for (int i = 0; i < 100; i++) {
                  out.write(piece);
                }
                out.flush();
              });
      turns();
      assertTrue(out.pending() <= 1 << 16, () -> "pending: " + out.pending());

      Bytes.readFully(pair.second(), before);
      for (int i = 0; i < 100; i++) {
        assertArrayEquals(piece, Bytes.readFully(pair.second(), piece.length));
      }
      writer.await();
    }
  }

  @InLoop
  @Test
  void aCancelledWriterHasWrittenAllOrNothing() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write(new byte[60_000]);
      Coroutine<?> refused = Coroutine.spawn(() -> out.write(new byte[10_000]));
      Coroutine<?> flusher = Coroutine.spawn(out::flush);
      turns();
      refused.cancel();
      flusher.cancel();
      assertThrows(CancellationException.class, refused::await);
      assertThrows(CancellationException.class, flusher::await);
      out.write("end");

      byte[] all = Bytes.readFully(pair.second(), before + 60_003);
      assertEquals("end", new String(all, before + 60_000, 3, UTF_8));
    }
  }

  @InLoop
  @Test
  void aFrameWhoseFramerFailsIsNotWritten() throws Exception {
    AtomicReference<ByteWriter> kept = new AtomicReference<>();
    Framer<String> framer =
        new Framer<>() {
          @Override
          public String decode(ByteReader in) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void encode(String frame, ByteWriter out) throws IOException {
            out.write(frame);
            out.write(new byte[200_000]);
            assertThrows(IllegalStateException.class, out::flush);
            kept.set(out);
            throw new IOException("too " + frame);
          }
        };
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      out.write("a");
      assertThrows(IOException.class, () -> out.write(framer, "bad"));
      out.write("b");
      out.flush();
      assertEquals("ab", Bytes.readText(pair.server(), 2));
      assertEquals(0, pair.client().pending());
      assertThrows(IllegalStateException.class, () -> kept.get().write("late"));
    }
  }

  @InLoop
  @Test
  void largeBuffersGoBehindWhatIsHeld() throws Exception {
    byte[] large = Bytes.pattern(1 << 20);
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      Coroutine<byte[]> reader =
          Coroutine.spawn(() -> Bytes.readFully(pair.server(), large.length + 6));
      out.write("abc");
      out.write(ByteBuffer.wrap(large));
      out.write("xyz");
      out.flush();
      ByteBuffer all = ByteBuffer.wrap(reader.await());
      assertEquals("abc", UTF_8.decode(all.slice(0, 3)).toString());
      assertEquals(ByteBuffer.wrap(large), all.slice(3, large.length));
      assertEquals("xyz", UTF_8.decode(all.slice(3 + large.length, 3)).toString());
    }
  }

  @InLoop
  @Test
  void aFailureOfWhatNobodyWaitedForIsThrownByTheNextCall() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      out.write("lost");
      pair.client().close();
      turns();

      IOException failed = assertThrows(IOException.class, () -> out.write("more"));
      assertInstanceOf(ClosedChannelException.class, failed);
      assertThrows(ClosedChannelException.class, out::flush);
    }
  }

  @Test
  void itBelongsToACoroutine() throws Exception {
    try (TcpPair pair = Loop.run(() -> TcpPair.open())) {
      assertThrows(IllegalStateException.class, () -> ByteWriter.of(pair.client()));
    }
  }

  @InLoop
  @Test
  void itKeepsNothingOfWhoWroteLast() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      WeakReference<Object> seen = writtenByAnother(out);
      long limit = System.nanoTime() + PATIENCE_NANOS;
      while (!seen.refersTo(null) && System.nanoTime() - limit < 0) {
        System.gc();
        Coroutine.pause();
      }
      assertTrue(seen.refersTo(null));
      out.flush();
    }
  }

  private static WeakReference<Object> writtenByAnother(ByteWriter out) throws Exception {
    Object what = new Object();
    Coroutine.spawn(() -> out.write(what.toString())).await();
    return new WeakReference<>(what);
  }
}
