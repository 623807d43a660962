// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.TcpPair;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// All that a reader can be asked for, in any order, in whatever pieces it comes, and however often one is cancelled: each
/// thing is what the bytes say, and begins where the one before it ended.
final class ByteReaderFuzzTest {
  private static final int LENGTH = 100_000;

  private final byte[] all = new byte[LENGTH];

  /// How many bytes were taken.
  private int at;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void everyThingIsWhatTheBytesSay(long seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < LENGTH; i++) {
      int which = random.nextInt(60);
      all[i] = (byte) (which == 0 ? '\n' : which == 1 ? '\r' : 'a' + random.nextInt(4));
    }
    Loop.run(
        () -> {
          try (TcpPair pair = TcpPair.open()) {
            Coroutine<?> writer = Coroutine.spawn(() -> send(pair, new Random(seed + 7)));
            ByteReader in = ByteReader.of(pair.server());
            while (at < LENGTH) {
              at += readOrBeCancelled(in, random);
            }
            assertEquals(-1, in.peek());
            assertNull(in.readLine());
            writer.await();
          }
        });
  }

  private void send(TcpPair pair, Random random) throws IOException {
    for (int sent = 0; sent < LENGTH; ) {
      int most = random.nextInt(4) == 0 ? 10_000 : 200;
      int count = Math.min(LENGTH - sent, random.nextInt(most));
      pair.client().write(ByteBuffer.wrap(all, sent, count));
      sent += count;
      pauses(random.nextInt(6));
    }
    pair.client().shutdown();
  }

  private static void pauses(int times) {
    for (int i = 0; i < times; i++) {
      Coroutine.pause();
    }
  }

  /// How many bytes were taken: none by one who was cancelled.
  private int readOrBeCancelled(ByteReader in, Random random) throws Exception {
    int kind = random.nextInt(12);
    int wanted = random.nextInt(6) == 0 ? random.nextInt(20_000) : random.nextInt(300);
    int count = Math.min(LENGTH - at, wanted);
    Coroutine<Integer> reader = Coroutine.spawn(() -> read(in, kind, count, random));
    if (random.nextInt(3) == 0) {
      pauses(random.nextInt(4));
      reader.cancel();
    }
    try {
      return reader.await();
    } catch (CancellationException left) {
      assertTrue(reader.status().isEnded());
      return 0;
    }
  }

  private int read(ByteReader in, int kind, int count, Random random) throws IOException {
    return switch (kind) {
      case 0 -> {
        assertArrayEquals(bytes(0, count), in.readBytes(count));
        yield count;
      }
      case 1 -> line(in);
      case 2 -> until(in, (byte) 'a', (byte) ('a' + random.nextInt(4)));
      case 3 -> until(in, (byte) ('a' + random.nextInt(4)));
      case 4 -> number(in);
      case 5 -> numberFromItsEnd(in);
      case 6 -> {
        in.giveBack();
        yield 0;
      }
      case 7 -> frame(in, count, random.nextInt(3) == 0);
      case 8 -> into(in, ByteBuffer.allocate(1 + random.nextInt(500)));
      case 9 -> into(in, ByteBuffer.allocateDirect(1 + random.nextInt(5000)));
      case 10 -> look(in);
      default -> nested(in);
    };
  }

  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  /// Lets a cancellation through.
  private static void assertFails(Class<? extends IOException> type, Call call) {
    IOException thrown = null;
    try {
      call.run();
    } catch (IOException failed) {
      thrown = failed;
    }
    assertInstanceOf(type, thrown);
  }

  private byte[] bytes(int from, int to) {
    return Arrays.copyOfRange(all, at + from, at + to);
  }

  /// How many bytes are before the delimiter; -1 if there is none.
  private int find(byte... delimiter) {
    for (int i = at; i + delimiter.length <= LENGTH; i++) {
      if (Arrays.equals(all, i, i + delimiter.length, delimiter, 0, delimiter.length)) {
        return i - at;
      }
    }
    return -1;
  }

  private int line(ByteReader in) throws IOException {
    int end = find((byte) '\n');
    int length = end < 0 ? LENGTH - at : end;
    int text = end > 0 && all[at + end - 1] == '\r' ? length - 1 : length;
    assertEquals(new String(all, at, text, ISO_8859_1), in.readLine());
    return end < 0 ? length : length + 1;
  }

  private int until(ByteReader in, byte... delimiter) throws IOException {
    int length = find(delimiter);
    if (length < 0) {
      assertFails(EOFException.class, () -> in.readUntil(delimiter));
      return 0;
    }
    assertArrayEquals(bytes(0, length), in.readUntil(delimiter));
    return length + delimiter.length;
  }

  private int number(ByteReader in) throws IOException {
    if (LENGTH - at < 4) {
      assertFails(EOFException.class, in::readInt);
      assertEquals(all[at], in.readByte());
      return 1;
    }
    assertEquals(ByteBuffer.wrap(all).getInt(at), in.readInt());
    return 4;
  }

  private int numberFromItsEnd(ByteReader in) throws IOException {
    if (LENGTH - at < 8) {
      return 0;
    }
    try {
      in.order(ByteOrder.LITTLE_ENDIAN);
      assertEquals(ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).getLong(at), in.readLong());
    } finally {
      in.order(ByteOrder.BIG_ENDIAN);
    }
    return 8;
  }

  private int into(ByteReader in, ByteBuffer buffer) throws IOException {
    int count = in.read(buffer);
    assertEquals(ByteBuffer.wrap(all, at, count), buffer.flip());
    return count;
  }

  private int look(ByteReader in) throws IOException {
    assertEquals(all[at], in.peek());
    ByteBuffer seen = in.peekBuffered();
    assertEquals(ByteBuffer.wrap(all, at, seen.remaining()), seen);
    return 0;
  }

  @FunctionalInterface
  private interface Decoding<F> extends Framer<F> {
    @Override
    default void encode(F frame, ByteWriter out) {
      throw new UnsupportedOperationException();
    }
  }

  private int frame(ByteReader in, int count, boolean fails) throws IOException {
    if (LENGTH - at < count + 3) {
      return 0;
    }
    Decoding<byte[]> framer =
        from -> {
          from.readByte();
          byte[] body = from.readBytes(count);
          from.peek();
          from.request(2);
          from.readShort();
          if (fails) {
            throw new ProtocolException("planted");
          }
          return body;
        };
    if (fails) {
      assertFails(ProtocolException.class, () -> in.read(framer));
      return 0;
    }
    assertArrayEquals(bytes(1, count + 1), in.read(framer));
    return count + 3;
  }

  private int nested(ByteReader in) throws IOException {
    if (LENGTH - at < 5) {
      return 0;
    }
    Decoding<Integer> inner =
        from -> {
          from.readInt();
          from.readLine();
          throw new ProtocolException("planted");
        };
    Decoding<Integer> outer =
        from -> {
          from.readByte();
          assertFails(ProtocolException.class, () -> from.read(inner));
          return from.readInt();
        };
    assertEquals(ByteBuffer.wrap(all).getInt(at + 1), in.read(outer));
    return 5;
  }
}
