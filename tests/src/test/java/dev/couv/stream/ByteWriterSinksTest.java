// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static dev.couv.stream.Writers.FULL;
import static dev.couv.stream.Writers.awaitNothingPending;
import static dev.couv.stream.Writers.pauses;
import static dev.couv.stream.Writers.turns;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.net.TlsPair;
import dev.couv.stream.Writers.Sink;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Writers of files, of TLS and of sinks of the user's own, and who is told when one fails.
final class ByteWriterSinksTest {
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
    try (TlsPair pair = TlsPair.openLocal()) {
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

  @InLoop
  @Test
  void whoeverWaitsWhenTheStreamFailsIsToldAndSoAreAllWhoComeLater() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write("precious");
      turns();
      Coroutine<IOException> flusher =
          Coroutine.spawn(() -> assertThrows(IOException.class, out::flush));
      Coroutine<IOException> writer =
          Coroutine.spawn(() -> assertThrows(IOException.class, () -> out.write(new byte[FULL])));
      turns();
      pair.second().close(); // with bytes that it did not read

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
    try (Pair pair = LocalStream.pair()) {
      Bytes.fill(pair.first());
      Framed<String> lines = Framed.open(pair.first(), Framer.lines());
      lines.write("lost");
      turns();
      pair.second().close();
      assertThrows(IOException.class, lines::close);
      assertTrue(lines.isClosed());
      lines.close();
    }
  }
}
