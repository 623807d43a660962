// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.error.BusyException;
import dev.couv.http.ContentWriter;
import dev.couv.testing.InLoop;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;

/// A body that is compressed while it is written.
@InLoop
class GzipWriterTest {
  /// What comes out, piece by piece.
  private static final class Sink implements ContentWriter {
    final ByteArrayOutputStream all = new ByteArrayOutputStream();
    int writes;
    int largest;
    int flushes;
    String trailers = "";
    IOException failure;

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      if (failure != null) {
        throw failure;
      }
      writes++;
      largest = Math.max(largest, bytes.remaining());
      byte[] some = new byte[bytes.remaining()];
      bytes.get(some);
      all.writeBytes(some);
    }

    @Override
    public void flush() {
      flushes++;
    }

    @Override
    public void trailer(String name, String value) {
      trailers += name + "=" + value;
    }

    byte[] unpacked() throws IOException {
      return new GZIPInputStream(new ByteArrayInputStream(all.toByteArray())).readAllBytes();
    }

    /// As far as a client can see that has what came so far.
    String soFar() throws Exception {
      Inflater inflater = new Inflater(true);
      try {
        inflater.setInput(all.toByteArray(), 10, all.size() - 10); // behind the head
        byte[] seen = new byte[1000];
        return new String(seen, 0, inflater.inflate(seen), UTF_8);
      } finally {
        inflater.end();
      }
    }
  }

  private final Sink sink = new Sink();

  @Test
  void whateverIsWrittenComesOutOfIt() throws Exception {
    var written = new ByteArrayOutputStream();
    Random random = new Random(7);
    try (var gzip = new GzipWriter(sink, 6)) {
      for (int i = 0; i < 300; i++) {
        byte[] some = new byte[random.nextInt(i % 10 == 0 ? 50_000 : 500)];
        if (i % 3 == 0) {
          random.nextBytes(some);
        }
        written.writeBytes(some);
        ByteBuffer buffer = ByteBuffer.allocateDirect(some.length).put(some).flip();
        gzip.write(buffer);
        assertEquals(0, buffer.remaining());
        if (i % 7 == 0) {
          gzip.flush();
          gzip.flush();
        }
      }
      gzip.trailer("a", "b");
      gzip.end();
      assertThrows(IllegalStateException.class, () -> gzip.write("x"));
    }

    assertArrayEquals(written.toByteArray(), sink.unpacked());
    assertTrue(sink.largest <= 3 * GzipWriter.PIECE, () -> "held " + sink.largest);
    assertEquals("a=b", sink.trailers);
  }

  @Test
  void nothingIsWellFormedAsWell() throws Exception {
    try (var gzip = new GzipWriter(sink, 1)) {
      gzip.end();
    }

    assertEquals(0, sink.unpacked().length);
  }

  @Test
  void aFlushLetsGoWhatWasWritten() throws Exception {
    try (var gzip = new GzipWriter(sink, 6)) {
      gzip.write("one");
      assertEquals(0, sink.writes);
      gzip.flush();
      assertEquals("one", sink.soFar());
      gzip.write("two");
      gzip.flush();
      assertEquals("onetwo", sink.soFar());
      assertEquals(2, sink.flushes);
    }
  }

  @Test
  void othersRunAfterEachPieceThoughNothingComesOut() throws Exception {
    int[] runs = {0};
    Coroutine<Void> other =
        Coroutine.spawn(
            () -> {
              while (true) {
                runs[0]++;
                Coroutine.pause();
              }
            });
    try (var gzip = new GzipWriter(sink, 6)) {
      gzip.write(new byte[64 * GzipWriter.PIECE]);
      assertTrue(runs[0] >= 63, () -> "others ran " + runs[0] + " times");
      int before = runs[0];
      for (int i = 0; i < GzipWriter.PIECE; i++) {
        gzip.write(new byte[4]);
      }
      assertTrue(runs[0] >= before + 3, () -> "others ran " + runs[0] + " times");
    }
    other.cancel();
  }

  @Test
  void aSecondWriterIsRefusedAndTearsNothing() throws Exception {
    try (var gzip = new GzipWriter(sink, 6)) {
      Coroutine<Void> first = Coroutine.spawn(() -> gzip.write(new byte[1 << 20]));
      Coroutine.pause();

      assertThrows(BusyException.class, () -> gzip.write("x"));
      assertThrows(BusyException.class, gzip::flush);
      assertThrows(BusyException.class, gzip::end);

      first.await();
      gzip.end();
    }
    assertEquals(1 << 20, sink.unpacked().length);
  }

  @Test
  void whatIsLeftInAWriteIsTorn() throws Exception {
    GzipWriter[] used = {null};
    Coroutine<Void> writing =
        Coroutine.spawn(
            () -> {
              try (var gzip = new GzipWriter(sink, 6)) {
                used[0] = gzip;
                try {
                  gzip.write(new byte[1 << 20]);
                } catch (Cancelled cancelled) {
                  assertThrows(IOException.class, () -> gzip.write("on"));
                  assertThrows(IOException.class, gzip::end);
                  throw cancelled;
                }
              }
            });
    Coroutine.pause();
    writing.cancel();

    assertThrows(CancellationException.class, writing::await);
    assertThrows(IllegalStateException.class, () -> used[0].write("x"));
  }

  @Test
  void aClientThatIsGoneIsToldAsItIs() throws Exception {
    sink.failure = new IOException("gone");
    byte[] random = new byte[1 << 16];
    new Random(1).nextBytes(random);
    try (var gzip = new GzipWriter(sink, 6)) {
      assertEquals(sink.failure, assertThrows(IOException.class, () -> gzip.write(random)));
    }
  }

  @Test
  void whatWasClosedHoldsNothing() throws Exception {
    Gzip gzip = new Gzip(new ByteArrayOutputStream(), 6);
    gzip.write(1);
    gzip.close();
    gzip.close();

    assertThrows(RuntimeException.class, () -> gzip.write(1), "the deflater has ended");
  }
}
