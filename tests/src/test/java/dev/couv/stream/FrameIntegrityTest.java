// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Patience;
import dev.couv.coro.Action;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.BusyException;
import dev.couv.net.TcpPair;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A frame is whole, whatever its framer does, and whoever else is there meanwhile.
final class FrameIntegrityTest {
  @FunctionalInterface
  private interface Encoding extends Framer<String> {
    @Override
    default String decode(ByteReader in) {
      throw new UnsupportedOperationException();
    }
  }

  @FunctionalInterface
  private interface Decoding extends Framer<String> {
    @Override
    default void encode(String frame, ByteWriter out) {
      throw new UnsupportedOperationException();
    }
  }

  private static final Encoding AWAITING =
      (text, out) -> {
        out.write("<" + text);
        turns();
        if (text.equals("bad")) {
          throw new IOException("refused");
        }
        out.write(">");
      };

  private static void turns() {
    for (int i = 0; i < 5; i++) {
      Time.sleep(Duration.ofMillis(1));
    }
  }

  private static TcpPair sent(String text) throws IOException {
    TcpPair pair = TcpPair.open();
    pair.client().write(text.getBytes(UTF_8));
    return pair;
  }

  /// What has come when the writer's side has ended.
  private static String ended(TcpPair pair) throws IOException {
    pair.client().shutdown();
    return new String(pair.server().readAll(1 << 20), UTF_8);
  }

  // ---- encode

  @InLoop
  @Test
  void aFramerThatAwaitsIsNotInTheWayOfOthers() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      Coroutine<?> first = Coroutine.spawn(() -> out.write(AWAITING, "A"));
      Coroutine<?> second = Coroutine.spawn(() -> out.write(AWAITING, "B"));
      Coroutine.pause();
      out.write("C");
      out.flush();
      assertFalse(first.status().isEnded());
      first.await();
      second.await();
      out.flush();
      assertEquals("C<A><B>", ended(pair));
    }
  }

  @InLoop
  @Test
  void aFramerThatAwaitedAndFailsHasWrittenNothing() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      out.write("header;");
      assertThrows(IOException.class, () -> out.write(AWAITING, "bad"));
      out.write("end");
      out.flush();
      assertEquals("header;end", ended(pair));
    }
  }

  @InLoop
  @Test
  void aFramerThatIsCancelledHasWrittenNothing() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      Coroutine<?> cancelled = Coroutine.spawn(() -> out.write(AWAITING, "A"));
      Coroutine.pause();
      cancelled.cancel();
      assertThrows(CancellationException.class, cancelled::await);
      out.write(AWAITING, "B");
      out.flush();
      assertEquals("<B>", ended(pair));
    }
  }

  /// As a logger's would. A blocked thread blocks the loop of the other engine.
  @InLoop
  @Tag("loop-scheduled-engine")
  @Test
  void aFramerMayWaitForALock() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Encoding locking =
        (text, out) -> {
          out.write("<" + text);
          lock.lock();
          lock.unlock();
          if (text.equals("bad")) {
            throw new IOException("refused");
          }
          out.write(">");
        };
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      Coroutine<?> holder =
          Coroutine.spawn(
              () -> {
                lock.lock();
                try {
                  turns();
                } finally {
                  lock.unlock();
                }
              });
      Coroutine.pause();
      out.write("header;");
      Coroutine<?> other = Coroutine.spawn(() -> out.write("[B]"));
      assertThrows(IOException.class, () -> out.write(locking, "bad"));
      out.write(locking, "good");
      out.flush();
      holder.await();
      other.await();
      assertEquals("header;[B]<good>", ended(pair));
    }
  }

  @InLoop
  @Test
  void aFrameInsideAFrameIsWholeOrNotThere() throws Exception {
    Encoding nesting =
        (text, out) -> {
          out.write("(");
          assertThrows(IOException.class, () -> out.write(AWAITING, "bad"));
          out.write(AWAITING, text);
          out.write(")");
        };
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      out.write(nesting, "A");
      out.flush();
      assertEquals("(<A>)", ended(pair));
    }
  }

  @InLoop
  @Test
  void aFramerThatWritesToTheStreamsWriterIsAheadOfItsFrame() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter stream = ByteWriter.of(pair.client());
      Encoding around =
          (text, out) -> {
            out.write("(");
            stream.write(AWAITING, text);
            out.write(")");
          };
      stream.write(around, "A");
      stream.write(around, "B");
      stream.flush();
      assertEquals("<A>()<B>()", ended(pair));
    }
  }

  @InLoop
  @Test
  void aWriterThatAFramerKeptIsOfNoUse() throws Exception {
    AtomicReference<ByteWriter> kept = new AtomicReference<>();
    Encoding keeping =
        (text, out) -> {
          out.write(text);
          kept.set(out);
        };
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      out.write(keeping, "A");
      assertThrows(IllegalStateException.class, () -> kept.get().write("late"));
      assertThrows(IllegalStateException.class, () -> kept.get().flush());
      out.flush();
      assertEquals("A", ended(pair));
    }
  }

  // ---- decode

  private static final Decoding SLOW =
      in -> {
        String text = in.readText(2);
        turns();
        return text + in.readText(2);
      };

  @InLoop
  @Test
  void nobodyReadsInsideTheFrameOfAnother() throws Exception {
    try (TcpPair pair = sent("aabbccdd")) {
      ByteReader in = ByteReader.of(pair.server());
      in.request(8);
      Coroutine<String> reader = Coroutine.spawn(() -> in.read(SLOW));
      Coroutine.pause();
      assertThrows(BusyException.class, () -> in.readText(4));
      assertThrows(BusyException.class, () -> in.read(SLOW));
      assertThrows(BusyException.class, () -> in.read(ByteBuffer.allocate(1)));
      assertThrows(BusyException.class, () -> in.skip(1));
      assertThrows(BusyException.class, in::peekBuffered);
      assertThrows(BusyException.class, in::giveBack);
      assertEquals("aabb", reader.await());
      assertEquals("ccdd", in.read(SLOW));
    }
  }

  @InLoop
  @Test
  void aFramerThatIsCancelledHasTakenNothing() throws Exception {
    try (TcpPair pair = sent("aabbccdd")) {
      ByteReader in = ByteReader.of(pair.server());
      in.request(8);
      Coroutine<String> reader = Coroutine.spawn(() -> in.read(SLOW));
      Coroutine.pause();
      assertThrows(BusyException.class, in::readByte);
      reader.cancel();
      assertThrows(CancellationException.class, reader::await);
      assertEquals("aabbccdd", in.readText(8));
    }
  }

  @InLoop
  @Test
  void aChildOfAFramerDoesNotReadItsFrame() throws Exception {
    Decoding parent =
        in -> {
          String text = in.readText(2);
          Coroutine<?> child =
              Coroutine.spawn(() -> assertThrows(BusyException.class, () -> in.readText(2)));
          try {
            child.await();
          } catch (IOException | RuntimeException thrown) {
            throw thrown;
          } catch (Exception thrown) {
            throw new AssertionError(thrown);
          }
          return text + in.readText(2);
        };
    try (TcpPair pair = sent("HEADbody")) {
      ByteReader in = ByteReader.of(pair.server());
      assertEquals("HEAD", in.read(parent));
      assertEquals("body", in.readText(4));
    }
  }

  @InLoop
  @Test
  void aFrameIsNotGivenBackInside() throws Exception {
    Decoding givingBack =
        in -> {
          in.readByte();
          assertThrows(IllegalStateException.class, in::giveBack);
          throw new IOException("no frame");
        };
    try (TcpPair pair = sent("abcdef")) {
      ByteReader in = ByteReader.of(pair.server());
      assertThrows(IOException.class, () -> in.read(givingBack));
      assertEquals("a", in.readText(1));
      in.giveBack();
      assertEquals("bcdef", Bytes.readText(pair.server(), 5));
    }
  }

  // ---- limits

  @InLoop
  @Test
  void theLengthOfAFrameDoesNotCountForTheLimit() throws Exception {
    try (TcpPair pair = sent("\0\0\0\u0003abc\0\0\0\u0003def\0\0\0\u0004ghij")) {
      ByteReader in = ByteReader.of(pair.server()).limit(3);
      assertEquals("abc", new String(in.readFrame(4), UTF_8));
      assertEquals("def", new String(in.read(Framer.lengthPrefixed(4)), UTF_8));
      assertThrows(FrameTooLongException.class, () -> in.readFrame(4));
      assertThrows(FrameTooLongException.class, () -> in.read(Framer.lengthPrefixed(4)));
      assertEquals("ghij", new String(in.limit(4).readFrame(4), UTF_8));
    }
  }

  @InLoop
  @Test
  void whatIsReadIntoABufferInsideAFrameCountsForTheLimit() throws Exception {
    Decoding large =
        in -> {
          in.readFully(ByteBuffer.allocate(100));
          return "too long";
        };
    Decoding small =
        in -> {
          ByteBuffer into = ByteBuffer.allocate(16);
          in.readFully(into);
          return Bytes.text(into);
        };
    try (TcpPair pair = sent("x".repeat(100))) {
      ByteReader in = ByteReader.of(pair.server()).limit(16);
      assertThrows(FrameTooLongException.class, () -> in.read(large));
      assertEquals("x".repeat(16), in.read(small));
      in.readFully(ByteBuffer.allocate(84));
      assertEquals(0, in.buffered());
    }
  }

  // ---- memory

  @InLoop
  @Test
  void aClaimedLengthTakesNoMoreThanWhatCame() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write(ByteBuffer.allocate(4).putInt(1 << 19).flip());
      ByteReader in = ByteReader.of(pair.server());
      Coroutine<byte[]> reader = Coroutine.spawn(() -> in.readFrame(4));
      turns();
      reader.cancel();
      assertThrows(CancellationException.class, reader::await);
      assertTrue(in.peekBuffered().capacity() <= 4096);
    }
  }

  @InLoop
  @Test
  void aByteBehindALargeFrameKeepsNoLargeArray() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> writer =
          Coroutine.spawn(
              () -> {
                ByteWriter out = ByteWriter.of(pair.client());
                out.writeFrame(4, new byte[1_000_000]);
                out.writeByte(0);
                out.flush();
              });
      ByteReader in = ByteReader.of(pair.server());
      in.readFrame(4);
      writer.await();
      in.request(1);
      Coroutine<byte[]> reader = Coroutine.spawn(() -> in.readFrame(4));
      turns();
      reader.cancel();
      assertThrows(CancellationException.class, reader::await);
      assertEquals(1, in.buffered());
      assertTrue(in.peekBuffered().capacity() <= 1 << 16);
    }
  }

  // ---- who may

  private static Throwable thrownElsewhere(Action action) throws Exception {
    CompletableFuture<Object> call =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                action.run();
                return "nothing";
              } catch (Exception thrown) {
                throw new CompletionException(thrown);
              }
            },
            task -> Thread.ofPlatform().start(task));
    Patience.until(call::isDone);
    return assertThrows(ExecutionException.class, call::get).getCause();
  }

  @InLoop
  @Test
  void theyBelongToTheCoroutinesOfTheirLoop() throws Exception {
    try (TcpPair pair = sent("abc")) {
      ByteReader in = ByteReader.of(pair.server());
      ByteWriter out = ByteWriter.of(pair.server());
      in.request(3);
      out.write("x");

      assertInstanceOf(IllegalStateException.class, thrownElsewhere(() -> in.readText(1)));
      assertInstanceOf(IllegalStateException.class, thrownElsewhere(() -> out.write("bad")));
      assertInstanceOf(IllegalStateException.class, thrownElsewhere(out::flush));
      assertInstanceOf(
          IllegalStateException.class,
          thrownElsewhere(() -> Loop.run(() -> assertEquals("a", in.readText(1)))));
      assertInstanceOf(
          IllegalStateException.class, thrownElsewhere(() -> Loop.run(() -> out.write("bad"))));
      assertInstanceOf(
          IllegalStateException.class, thrownElsewhere(() -> Loop.run(() -> out.flush())));

      out.write("y");
      out.flush();
      assertEquals("abc", in.readText(3));
      assertEquals("xy", Bytes.readText(pair.client(), 2));
    }
  }

  @InLoop
  @Test
  void whoeverIsCancelledHearsOfItAlsoIfAllIsHere() throws Exception {
    try (TcpPair pair = sent("abcd\n")) {
      ByteReader in = ByteReader.of(pair.server());
      in.request(5);
      AtomicBoolean all = new AtomicBoolean();
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                Coroutine.current().cancel();
                assertThrows(Cancelled.class, in::readByte);
                assertThrows(Cancelled.class, in::readLine);
                assertThrows(Cancelled.class, () -> in.read(Framer.lines()));
                assertThrows(Cancelled.class, () -> in.read(ByteBuffer.allocate(1)));
                all.set(true);
              });
      try {
        reader.await();
      } catch (CancellationException told) {
        assertTrue(reader.status().isEnded());
      }
      assertTrue(all.get());
      assertEquals("abcd", in.readLine());
    }
  }

  @InLoop
  @Test
  void whoeverReadsWhatIsHereLetsOthersRun() throws Exception {
    try (TcpPair pair = sent("x".repeat(50_000))) {
      ByteReader in = ByteReader.of(pair.server());
      in.request(50_000);
      Coroutine<Integer> other = Coroutine.spawn(in::buffered);
      while (in.buffered() > 0) {
        in.readByte();
      }
      assertTrue(other.await() > 0);
    }
  }
}
