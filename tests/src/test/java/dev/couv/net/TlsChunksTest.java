// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.stream.ByteStream;
import dev.couv.testing.InLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a read of the transport brings is taken as it is, wherever that cuts the records; and several records go out by one write.
@InLoop
final class TlsChunksTest {
  /// What a record of the JDK's has in TLS 1.3 besides its bytes: a header, a type, zeros, a tag.
  private static final int BESIDES = 5 + 1 + 16 + 16;

  /// The most bytes in one.
  private static final int MOST = 16_405 - BESIDES;

  /// Passes on what is written in pieces of that size, so that whoever reads finds each by itself.
  private static Between cutting(ByteStream inner, int piece) {
    return new Between(inner) {
      @Override
      public int tryWrite(ByteBuffer from) {
        return 0;
      }

      @Override
      public void write(ByteBuffer... from) throws IOException {
        for (ByteBuffer buffer : from) {
          while (buffer.hasRemaining()) {
            ByteBuffer next = buffer.duplicate();
            next.limit(Math.min(buffer.limit(), buffer.position() + piece));
            inner.write(next);
            buffer.position(next.position());
            Coroutine.pause();
          }
        }
      }
    };
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /// With room 0 in buffers of the stream's, else in one of that room.
  private static byte[] read(TlsStream from, int length, int room) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer own = ByteBuffer.allocate(room);
    while (all.size() < length) {
      ByteBuffer bytes = own;
      if (room == 0) {
        bytes = from.read();
      } else {
        from.read(own.clear());
        own.flip();
      }
      all.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }
    return all.toByteArray();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 3000, 0",
    "7, 40000, 0",
    "4097, 300000, 0",
    "5000, 300000, 1000",
    "16405, 300000, 70000",
    "16407, 300000, 0",
    "40000, 700000, 16384",
    "65536, 700000, 0",
    "70000, 700000, 3000"
  })
  void recordsAreCutAnywhere(int piece, int length, int room) throws Exception {
    for (String version : List.of("TLSv1.2", "TLSv1.3")) {
      Pair local = LocalStream.pair();
      TlsOptions options = TlsPair.options().withProtocols(version);
      Between there = cutting(local.first(), piece);
      try (TlsPair pair = TlsPair.over(there, local.second(), options, TlsOptions.DEFAULT)) {
        byte[] sent = random(length);
        var writing = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(sent)));

        assertArrayEquals(sent, read(pair.server(), length, room), version);
        writing.await();
      }
    }
  }

  /// Whatever happens first, what comes or that the reader leaves.
  @Test
  void aReadOfASocketThatIsLeftLosesNothing() throws Exception {
    byte[] sent = random(300_000);
    for (int pauses = 0; pauses < 30; pauses++) {
      try (TlsPair pair = TlsPair.openLocal()) {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        var writing = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(sent)));
        for (int n = 0; n < 20 && got.size() < sent.length; n++) {
          var reading =
              Coroutine.spawn(
                  () -> {
                    ByteBuffer bytes = pair.server().read();
                    got.write(bytes.array(), bytes.position(), bytes.remaining());
                  });
          for (int i = 0; i < pauses % (n + 2); i++) {
            Coroutine.pause();
          }
          reading.cancel();
          try {
            reading.await();
          } catch (CancellationException left) {
            // most of the time
          }
        }
        int taken = got.size();
        got.writeBytes(read(pair.server(), sent.length - taken, 0));

        assertArrayEquals(sent, got.toByteArray(), "after " + pauses + " pauses");
        writing.await();
      }
    }
  }

  @Test
  void whatIsMissingOfARecordIsNotReadByItself() throws Exception {
    Pair local = LocalStream.pair();
    List<Integer> reads = new ArrayList<>();
    Between here =
        new Between(local.second()) {
          @Override
          public @Nullable ByteBuffer read() throws IOException {
            ByteBuffer bytes = inner.read();
            reads.add(bytes == null ? -1 : bytes.remaining());
            return bytes;
          }
        };
    try (TlsPair pair = TlsPair.over(local.first(), here, TlsPair.options(), TlsOptions.DEFAULT)) {
      byte[] sent = random(100_000);
      pair.client().write(ByteBuffer.wrap(sent));
      reads.clear();

      assertArrayEquals(sent, read(pair.server(), sent.length, 0));
      assertEquals(2, reads.size(), reads::toString);
    }
  }

  @Test
  void oneWriteHasFiveRecords() throws Exception {
    Pair local = LocalStream.pair();
    List<Integer> writes = new ArrayList<>();
    Between there =
        new Between(local.first()) {
          @Override
          public int tryWrite(ByteBuffer from) throws IOException {
            int taken = inner.tryWrite(from);
            writes.add(taken);
            return taken;
          }
        };
    try (TlsPair pair =
        TlsPair.over(there, local.second(), TlsPair.options(), TlsOptions.DEFAULT)) {
      writes.clear();
      pair.client().write(ByteBuffer.allocate(5 * MOST));

      assertEquals(
          List.of(5 * (MOST + BESIDES)), writes.stream().filter(taken -> taken > 0).toList());
    }
  }

  /// Bytes come in arrays that are as long as the records say.
  @Test
  void aReadIsNotLargerThanWhatItBrings() throws Exception {
    try (TlsPair pair = TlsPair.openLocal()) {
      var writing = Coroutine.spawn(() -> pair.client().write(ByteBuffer.allocate(1 << 20)));
      for (int got = 0; got < 1 << 20; ) {
        ByteBuffer bytes = pair.server().read();
        got += bytes.remaining();
        int records = Math.ceilDiv(bytes.remaining(), MOST);
        assertTrue(bytes.capacity() <= bytes.remaining() + records * BESIDES, bytes::toString);
      }
      writing.await();
    }
  }
}
