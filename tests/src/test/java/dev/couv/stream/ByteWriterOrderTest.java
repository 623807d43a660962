// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Resumed;
import dev.couv.coro.Scope;
import dev.couv.coro.TaskGroup;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.net.Tcp;
import dev.couv.net.TcpPair;
import dev.couv.net.TlsOptions;
import dev.couv.net.TlsPair;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is written goes out, all of it and in order, whoever is left to see to it.
final class ByteWriterOrderTest {
  private static final int FULL = 1 << 16;

  private static void turns() {
    for (int i = 0; i < 5; i++) {
      Time.sleep(Duration.ofMillis(1));
    }
  }

  private static void pauses(int times) {
    for (int i = 0; i < times; i++) {
      Coroutine.pause();
    }
  }

  private static void awaitNothingPending(ByteWriter out) {
    while (out.pending() > 0) {
      Time.sleep(Duration.ofMillis(1));
    }
  }

  /// A sink of the user's, to which nothing can be given without waiting.
  private static class Sink implements ByteSink {
    final StringBuilder got = new StringBuilder();

    @Override
    public void write(ByteBuffer... from) throws IOException {
      for (ByteBuffer each : from) {
        got.append(UTF_8.decode(each));
      }
    }

    @Override
    public int tryWrite(ByteBuffer from) throws IOException {
      return 0;
    }
  }

  // ---- room and order

  @InLoop
  @Test
  void whoeverWaitsForRoomIsNotOvertakenByOneWhoNeedsLess() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write(new byte[60_000]);
      Coroutine<?> large = Coroutine.spawn(() -> out.write("A".repeat(10_000)));
      Coroutine<?> unheld =
          Coroutine.spawn(() -> out.write(ByteBuffer.wrap("B".repeat(20_000).getBytes(UTF_8))));
      Coroutine<?> small = Coroutine.spawn(() -> out.write("C"));
      turns();
      assertEquals(60_000, out.pending());

      Bytes.readFully(pair.second(), before + 60_000);
      String expected = "A".repeat(10_000) + "B".repeat(20_000) + "C";
      assertEquals(expected, Bytes.readText(pair.second(), expected.length()));
      large.await();
      unheld.await();
      small.await();
    }
  }

  @InLoop
  @Test
  void whoeverLeavesTheLineMakesRoomForThoseBehind() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write(new byte[60_000]);
      Coroutine<?> large = Coroutine.spawn(() -> out.write("A".repeat(10_000)));
      Coroutine<?> small = Coroutine.spawn(() -> out.write("C"));
      turns();
      assertFalse(small.status().isEnded());

      large.cancel();
      assertThrows(CancellationException.class, large::await);
      small.await();
      assertEquals(60_001, out.pending());
      Bytes.readFully(pair.second(), before + 60_000);
      assertEquals("C", Bytes.readText(pair.second(), 1));
    }
  }

  @InLoop
  @Test
  void howeverManyWaitLittleIsHeld() throws Exception {
    int count = 100;
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      List<Coroutine<?>> writers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        byte[] piece = new byte[40_000];
        Arrays.fill(piece, (byte) i);
        writers.add(Coroutine.spawn(() -> out.write(piece)));
      }
      turns();
      Bytes.readFully(pair.second(), before);
      for (int i = 0; i < count; i++) {
        byte[] piece = Bytes.readFully(pair.second(), 40_000);
        assertEquals(i, piece[0]);
        assertEquals(i, piece[39_999]);
        assertTrue(out.pending() <= FULL, () -> "pending: " + out.pending());
      }
      for (Coroutine<?> writer : writers) {
        writer.await();
      }
    }
  }

  @InLoop
  @Test
  void bothSidesMayBeFarAhead() throws Exception {
    int count = 200;
    try (Pair pair = LocalStream.pair();
        var here = Framed.open(pair.first(), Framer.lengthPrefixed(4));
        var there = Framed.open(pair.second(), Framer.lengthPrefixed(4))) {
      Coroutine<?> echo =
          Coroutine.spawn(
              () -> {
                for (byte[] frame : there) {
                  there.write(frame);
                }
                there.shutdown();
              });
      Random random = new Random(1);
      List<byte[]> sent = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        sent.add(Bytes.pattern(random.nextInt(30_000)));
      }
      Coroutine<?> writer =
          Coroutine.spawn(
              () -> {
                for (byte[] frame : sent) {
                  here.write(frame);
                }
                here.shutdown();
              });
      turns(); // nobody reads the answers
      assertFalse(writer.status().isEnded());
      for (byte[] frame : sent) {
        assertArrayEquals(frame, here.read());
      }
      writer.await();
      echo.await();
    }
  }

  /// Every frame that was accepted is there, once, whole, and behind the earlier ones of its writer.
  @Test
  void noFrameIsTornOrLostHoweverWritersAreCancelled() throws Exception {
    for (int seed = 0; seed < 4; seed++) {
      Random random = new Random(seed);
      Loop.run(() -> cancelWriters(random));
    }
  }

  private static void cancelWriters(Random random) throws Exception {
    try (Pair pair = LocalStream.pair()) {
      ByteWriter out = ByteWriter.of(pair.first());
      List<List<Integer>> accepted = new ArrayList<>();
      List<List<Integer>> got = new ArrayList<>();
      List<Coroutine<?>> writers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        int who = i;
        List<Integer> mine = new ArrayList<>();
        accepted.add(mine);
        got.add(new ArrayList<>());
        writers.add(
            Coroutine.spawn(
                () -> {
                  for (int number = 0; number < 60; number++) {
                    writeOrBeCancelled(out, who, number, mine, random);
                  }
                }));
      }
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                ByteReader in = ByteReader.of(pair.second());
                while (in.peek() >= 0) {
                  byte[] frame = in.readFrame(4);
                  for (int i = 2; i < frame.length; i++) {
                    assertEquals(frame[1], frame[i]);
                  }
                  got.get(frame[0]).add((int) frame[1]);
                  pauses(random.nextInt(8));
                }
              });
      for (Coroutine<?> writer : writers) {
        writer.await();
      }
      out.flush();
      pair.first().shutdown();
      reader.await();
      assertEquals(accepted, got);
    }
  }

  private static void writeOrBeCancelled(
      ByteWriter out, int who, int number, List<Integer> accepted, Random random) throws Exception {
    byte[] frame = new byte[2 + (random.nextInt(5) == 0 ? random.nextInt(90_000) : 100)];
    Arrays.fill(frame, (byte) number);
    frame[0] = (byte) who;
    Coroutine<?> write =
        Coroutine.spawn(
            () -> {
              out.write(Framer.lengthPrefixed(4), frame);
              accepted.add(number);
              if (random.nextInt(3) == 0) {
                out.flush();
              }
            });
    pauses(random.nextInt(6));
    if (random.nextBoolean()) {
      write.cancel();
    }
    try {
      write.await();
    } catch (CancellationException left) {
      assertTrue(write.status().isEnded());
    }
  }

  // ---- who sees to it

  @InLoop
  @Test
  void whatIsWrittenBehindADrainGoesOutWithoutAFlush() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write("first");
      turns();
      out.write("second");
      turns();
      assertEquals(11, out.pending());

      Bytes.readFully(pair.second(), before);
      assertEquals("firstsecond", Bytes.readText(pair.second(), 11));
      awaitNothingPending(out);
    }
  }

  @InLoop
  @Test
  void aRequestBehindADrainIsAnswered() throws Exception {
    try (Pair pair = LocalStream.pair();
        var here = Framed.open(pair.first(), Framer.lines());
        var there = Framed.open(pair.second(), Framer.lines())) {
      Bytes.fill(pair.first());
      here.write(" is a line, too");
      turns();
      assertTrue(here.writer().pending() > 0);
      here.write("ping");
      Coroutine<?> server =
          Coroutine.spawn(
              () -> {
                while (!"ping".equals(there.read())) {}
                there.write("pong");
              });

      assertEquals("pong", here.read());
      server.await();
    }
  }

  /// The turn to flush has come to him, and he leaves instead.
  @InLoop
  @Test
  void aFlusherThatIsResumedLeavesNothingBehind() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write("first");
      Coroutine<?> first = Coroutine.spawn(out::flush);
      Coroutine.pause();
      Coroutine<String> second =
          Coroutine.spawn(
              () -> {
                try {
                  out.flush();
                  return "flushed";
                } catch (Resumed left) {
                  return "left";
                }
              });
      pauses(2);
      out.write("second");
      Coroutine<byte[]> reader = Coroutine.spawn(() -> Bytes.readFully(pair.second(), before + 11));
      Coroutines.pauseUntilReady(second);
      second.resume();

      assertEquals("left", second.await());
      first.await();
      assertEquals("firstsecond", new String(reader.await(), before, 11, UTF_8));
      awaitNothingPending(out);
    }
  }

  @InLoop
  @Test
  void whatAResumedFlusherWasWritingGoesOut() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write("data");
      Coroutine<?> flusher = Coroutine.spawn(() -> assertThrows(Resumed.class, out::flush));
      turns();
      flusher.resume();
      flusher.await();

      Bytes.readFully(pair.second(), before);
      assertEquals("data", Bytes.readText(pair.second(), 4));
      awaitNothingPending(out);
    }
  }

  @InLoop
  @Test
  @SuppressWarnings("try")
  void whoeverIsCancelledCanStillSayGoodbye() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      AtomicReference<ByteWriter> writer = new AtomicReference<>();
      try (Scope scope = Scope.open()) {
        scope.spawn(
            () -> {
              ByteWriter out = ByteWriter.of(pair.first());
              writer.set(out);
              try {
                Coroutine.halt();
              } finally {
                out.write("good");
                Coroutine.protect(
                    () -> {
                      turns();
                      Bytes.readFully(pair.second(), before);
                      out.write("bye");
                      awaitNothingPending(out);
                    });
              }
            });
        Coroutine.pause();
        scope.cancel();
      }
      assertEquals(0, writer.get().pending());
      assertEquals("goodbye", Bytes.readText(pair.second(), 7));
    }
  }

  @InLoop
  @Test
  @SuppressWarnings("try")
  void aWriterOutlivesTheScopeItWasMadeIn() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      AtomicReference<ByteWriter> writer = new AtomicReference<>();
      try (Scope scope = Scope.open()) {
        scope.spawn(() -> writer.set(ByteWriter.of(pair.first())));
      }
      int before = Bytes.fill(pair.first());
      ByteWriter out = writer.get();
      out.write("hello");
      turns();
      Bytes.readFully(pair.second(), before);
      out.write(" world");
      out.flush();
      assertEquals("hello world", Bytes.readText(pair.second(), 11));
    }
  }

  @InLoop
  @Test
  @SuppressWarnings("try")
  void aGroupHasNoMemberThatItDidNotSpawn() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      try (var group = TaskGroup.<String>open().limit(1)) {
        group.spawn(
            () -> {
              ByteWriter.of(pair.first()).write("x");
              turns();
              return "done";
            });
        assertEquals(List.of("done"), group.all());
      }
      Bytes.readFully(pair.second(), before);
      assertEquals("x", Bytes.readText(pair.second(), 1));
    }
  }

  @Test
  void whatWasWrittenInAResumeOutsideARunGoesOut() throws Exception {
    try (var server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress("127.0.0.1", 0));
      var address = (InetSocketAddress) server.getLocalAddress();
      try (Loop loop = Loop.open()) {
        AtomicBoolean connected = new AtomicBoolean();
        Coroutine<?> writer =
            loop.spawn(
                () -> {
                  var stream = Tcp.connect(address);
                  ByteWriter out = ByteWriter.of(stream);
                  connected.set(true);
                  Coroutine.yield();
                  out.write("resumed");
                  Coroutine.yield();
                });
        while (!connected.get()) {
          loop.run(Mode.STEP);
        }
        loop.run(Mode.READY);
        writer.resume();
      }
      try (var peer = server.accept()) {
        ByteBuffer read = ByteBuffer.allocate(16);
        while (peer.read(read) >= 0) {}
        assertEquals("resumed", UTF_8.decode(read.flip()).toString());
      }
    }
  }

  // ---- other sinks

  @Test
  void aFileIsWritten(@TempDir Path dir) throws Exception {
    Path path = dir.resolve("file");
    Loop.run(
        () -> {
          try (OpenFile file = Fs.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteWriter out = ByteWriter.of(file);
            out.write("hello");
            awaitNothingPending(out);
            out.write(" world");
            out.flush();
          }
        });
    assertEquals("hello world", Files.readString(path));
  }

  @InLoop
  @Test
  void aFlushOverTlsWaitsUntilTheKernelHasIt() throws Exception {
    Pair local = LocalStream.pair(); // takes less than TCP
    try (TlsPair pair =
        TlsPair.over(local.first(), local.second(), TlsPair.options(), TlsOptions.DEFAULT)) {
      ByteWriter out = ByteWriter.of(pair.client());
      int sent = 0;
      while (pair.client().pending() == 0) {
        out.write(new byte[16_000]);
        sent += 16_000;
        Coroutine.pause();
      }
      Coroutine<?> flusher = Coroutine.spawn(out::flush);
      turns();
      assertFalse(flusher.status().isEnded());

      Bytes.readFully(pair.server(), sent);
      flusher.await();
      assertEquals(0, pair.client().pending());
    }
  }

  @InLoop
  @Test
  void aSinkOfTheUsersGetsAllInOrder() throws Exception {
    Sink sink =
        new Sink() {
          @Override
          public int tryWrite(ByteBuffer from) {
            int count = Math.min(3, from.remaining());
            got.append(UTF_8.decode(from.slice(from.position(), count)));
            from.position(from.position() + count);
            return count;
          }

          @Override
          public void write(ByteBuffer... from) throws IOException {
            turns();
            super.write(from);
          }
        };
    ByteWriter out = ByteWriter.of(sink);
    out.write("0123456");
    turns();
    out.write("789");
    awaitNothingPending(out);
    out.write("ab");
    out.flush();
    assertEquals("0123456789ab", sink.got.toString());
  }

  @InLoop
  @Test
  void aFlushWaitsUntilAWriteOfTheSinkHasReturned() throws Exception {
    AtomicBoolean open = new AtomicBoolean();
    Sink sink =
        new Sink() {
          @Override
          public int tryWrite(ByteBuffer from) {
            int count = from.remaining();
            got.append(UTF_8.decode(from)); // it has it, and nobody else does
            return count;
          }

          @Override
          public void write(ByteBuffer... from) throws IOException {
            super.write(from);
            while (!open.get()) {
              Coroutine.pause();
            }
          }
        };
    ByteWriter out = ByteWriter.of(sink);
    out.write("x");
    turns();
    assertEquals(0, out.pending());
    Coroutine<?> flusher = Coroutine.spawn(out::flush);
    pauses(20);
    assertFalse(flusher.status().isEnded());

    open.set(true);
    flusher.await();
    assertEquals("x", sink.got.toString());
  }

  // ---- failures

  @InLoop
  @Test
  void whoeverWaitsWhenTheStreamFailsIsToldAndSoAreAllWhoComeLater() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Bytes.fill(pair.client());
      ByteWriter out = ByteWriter.of(pair.client());
      out.write("precious");
      turns();
      Coroutine<IOException> flusher =
          Coroutine.spawn(() -> assertThrows(IOException.class, out::flush));
      Coroutine<IOException> writer =
          Coroutine.spawn(() -> assertThrows(IOException.class, () -> out.write(new byte[FULL])));
      turns();
      pair.server().close(); // with bytes that it did not read: a reset

      flusher.await();
      IOException first = writer.await();
      assertSame(first, assertThrows(IOException.class, out::flush));
      assertSame(first, assertThrows(IOException.class, () -> out.write("more")));
      assertEquals(0, out.pending());
    }
  }

  @InLoop
  @Test
  void aDrainThatFailedIsToldToAllWhoComeLater() throws Exception {
    ByteWriter out = ByteWriter.of(failing());
    out.write("x");
    awaitNothingPending(out);
    IOException first = assertThrows(IOException.class, () -> out.write("y"));
    assertEquals("planted 1", first.getMessage());
    assertSame(first, assertThrows(IOException.class, out::flush));
    assertSame(first, assertThrows(IOException.class, () -> out.writeInt(1)));
  }

  @InLoop
  @Test
  void aFlushThatFailedIsToldToAllWhoComeLater() throws Exception {
    ByteWriter out = ByteWriter.of(failing());
    out.write("x");
    IOException first = assertThrows(IOException.class, out::flush);
    assertEquals("planted 1", first.getMessage());
    assertSame(first, assertThrows(IOException.class, out::flush));
    assertSame(first, assertThrows(IOException.class, () -> out.write("y")));
    assertSame(
        first, assertThrows(IOException.class, () -> out.write(ByteBuffer.allocate(20_000))));
  }

  @InLoop
  @Test
  void aLargeBufferThatFailedIsToldToAllWhoComeLater() throws Exception {
    ByteWriter out = ByteWriter.of(failing());
    IOException first =
        assertThrows(IOException.class, () -> out.write(ByteBuffer.allocate(20_000)));
    assertEquals("planted 1", first.getMessage());
    assertSame(first, assertThrows(IOException.class, () -> out.write("y")));
    assertSame(first, assertThrows(IOException.class, out::flush));
  }

  private static Sink failing() {
    return new Sink() {
      private int times;

      @Override
      public void write(ByteBuffer... from) throws IOException {
        times++;
        throw new IOException("planted " + times);
      }
    };
  }

  @InLoop
  @Test
  @SuppressWarnings("try")
  void aSinkThatThrowsSomethingElseEndsNoScope() throws Exception {
    AtomicReference<ByteWriter> writer = new AtomicReference<>();
    RuntimeException planted = new IllegalStateException("planted");
    Sink sink =
        new Sink() {
          @Override
          public void write(ByteBuffer... from) {
            throw planted;
          }
        };
    try (Scope scope = Scope.open()) {
      Coroutine<String> bystander =
          scope.spawn(
              () -> {
                ByteWriter out = ByteWriter.of(sink);
                writer.set(out);
                out.write("x");
                turns();
                return "well";
              });
      assertEquals("well", bystander.await());
    }
    IOException told = assertThrows(IOException.class, () -> writer.get().write("y"));
    assertSame(planted, told.getCause());
  }

  @InLoop
  @Test
  void anErrorAtTheEndOfATurnIsTold() throws Exception {
    Sink sink =
        new Sink() {
          @Override
          public int tryWrite(ByteBuffer from) {
            throw new OutOfMemoryError("planted");
          }
        };
    ByteWriter out = ByteWriter.of(sink);
    out.write("one");
    turns();
    IOException told = assertThrows(IOException.class, () -> out.write("two"));
    assertInstanceOf(OutOfMemoryError.class, told.getCause());
    assertEquals(0, out.pending());
  }

  @InLoop
  @Test
  void closingTellsWhatCouldNotBeWrittenAndCloses() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Bytes.fill(pair.client());
      Framed<String> lines = Framed.open(pair.client(), Framer.lines());
      lines.write("lost");
      turns();
      pair.server().close();
      assertThrows(IOException.class, lines::close);
      assertTrue(lines.isClosed());
      lines.close();
    }
  }
}
