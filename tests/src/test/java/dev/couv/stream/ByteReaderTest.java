// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.BusyException;
import dev.couv.net.TcpPair;
import dev.couv.testing.InLoop;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Taking a stream's bytes apart.
final class ByteReaderTest {
  private static void pauses(int times) {
    for (int i = 0; i < times; i++) {
      Coroutine.pause();
    }
  }

  private static TcpPair sent(byte... bytes) throws IOException {
    TcpPair pair = TcpPair.open();
    pair.client().write(bytes);
    return pair;
  }

  private static TcpPair sentAndEnded(String text) throws IOException {
    TcpPair pair = sent(text.getBytes(UTF_8));
    pair.client().shutdown();
    return pair;
  }

  @InLoop
  @Test
  void numbersInDigitsGoAndCome() throws Exception {
    long[] numbers = {0, 7, -7, 10, 99, -100, 1234567890123L, Long.MAX_VALUE, Long.MIN_VALUE};
    try (TcpPair pair = TcpPair.open()) {
      ByteWriter out = ByteWriter.of(pair.client());
      var text = new StringBuilder();
      for (long each : numbers) {
        out.writeDecimal(each);
        out.write("\r\n");
        text.append(each).append("\r\n");
      }
      assertEquals(text.length(), out.pending());
      out.write("-007\n");
      out.flush();
      ByteReader in = ByteReader.of(pair.server());
      for (long each : numbers) {
        assertEquals(each, in.readDecimalLine());
      }
      assertEquals(-7, in.readDecimalLine());
      assertEquals(0, in.buffered());
    }
  }

  @InLoop
  @Test
  void whatIsNoNumberIsNotTaken() throws Exception {
    for (String each :
        List.of(
            "",
            "-",
            "+1",
            " 1",
            "1 ",
            "1a",
            "--1",
            "1-",
            "0x1",
            "\u0661",
            "9223372036854775808",
            "-9223372036854775809",
            "99999999999999999999")) {
      try (TcpPair pair = sentAndEnded(each + "\r\nrest")) {
        ByteReader in = ByteReader.of(pair.server());
        assertThrows(ProtocolException.class, in::readDecimalLine, each);
        assertEquals(each, in.readLine());
        assertThrows(EOFException.class, in::readDecimalLine);
        assertEquals("rest", in.readLine());
      }
    }
    try (TcpPair pair = sent("1".repeat(100).getBytes(UTF_8))) {
      ByteReader in = ByteReader.of(pair.server()).limit(20);
      assertThrows(FrameTooLongException.class, in::readDecimalLine);
    }
  }

  @InLoop
  @Test
  void numbersComeInBothOrders() throws Exception {
    ByteBuffer numbers = ByteBuffer.allocate(64);
    numbers.put((byte) -2).put((byte) 200).putShort((short) -3).putShort((short) 60_000);
    numbers
        .putInt(-4)
        .putInt(0xfedcba98)
        .putLong(Long.MIN_VALUE + 5)
        .putFloat(1.5f)
        .putDouble(-2.25);
    numbers.order(ByteOrder.LITTLE_ENDIAN).putShort((short) 0x1234).putInt(77).putLong(-78);
    try (TcpPair pair = sent(Arrays.copyOf(numbers.array(), numbers.position()))) {
      ByteReader in = ByteReader.of(pair.server());

      assertEquals(-2, in.readByte());
      assertEquals(200, in.readUnsignedByte());
      assertEquals(-3, in.readShort());
      assertEquals(60_000, in.readUnsignedShort());
      assertEquals(-4, in.readInt());
      assertEquals(0xfedcba98L, in.readUnsignedInt());
      assertEquals(Long.MIN_VALUE + 5, in.readLong());
      assertEquals(1.5f, in.readFloat());
      assertEquals(-2.25, in.readDouble());
      in.order(ByteOrder.LITTLE_ENDIAN);
      assertEquals(0x1234, in.readShort());
      assertEquals(77, in.readInt());
      assertEquals(-78, in.readLong());
      assertEquals(0, in.buffered());
    }
  }

  @InLoop
  @Test
  void lookingTakesNothing() throws Exception {
    try (TcpPair pair = sentAndEnded("abc")) {
      ByteReader in = ByteReader.of(pair.server());

      assertEquals('a', in.peek());
      assertTrue(in.request(3));
      assertFalse(in.request(4));
      assertEquals(3, in.buffered());
      ByteBuffer seen = in.peekBuffered();
      assertEquals("abc", UTF_8.decode(seen).toString());
      assertTrue(seen.isReadOnly());
      in.skip(1);
      assertEquals("bc", in.readText(2));
      assertEquals(-1, in.peek());
      assertEquals(-1, in.peek());
    }
  }

  @InLoop
  @Test
  void piecesEndAtADelimiterOfAnyLength() throws Exception {
    try (TcpPair pair = sentAndEnded("one;two\r\r\n;thr\r\n\r\nrest")) {
      ByteReader in = ByteReader.of(pair.server());

      assertEquals("one", new String(in.readUntil((byte) ';'), UTF_8));
      assertEquals("two\r", new String(in.readUntil("\r\n".getBytes(UTF_8)), UTF_8));
      assertEquals(";thr", new String(in.readUntil("\r\n\r\n".getBytes(UTF_8)), UTF_8));
      assertThrows(EOFException.class, () -> in.readUntil((byte) ';'));
      assertEquals("rest", in.readText(4));
      assertNull(in.readUntil((byte) ';'));
      assertThrows(IllegalArgumentException.class, in::readUntil);
    }
  }

  @InLoop
  @Test
  void framesBeginWithTheirLength() throws Exception {
    ByteBuffer frames = ByteBuffer.allocate(64);
    frames.put((byte) 1).put((byte) 'a');
    frames.putShort((short) 2).put((byte) 'b').put((byte) 'c');
    frames.put(new byte[] {0, 0, 1, 'd'});
    frames.putInt(0);
    frames.putLong(1).put((byte) 'e');
    frames.put(new byte[] {1, 0, 0, 'f'});
    try (TcpPair pair = sent(Arrays.copyOf(frames.array(), frames.position()))) {
      ByteReader in = ByteReader.of(pair.server());

      assertArrayEquals(new byte[] {'a'}, in.readFrame(1));
      assertArrayEquals(new byte[] {'b', 'c'}, in.readFrame(2));
      assertArrayEquals(new byte[] {'d'}, in.readFrame(3));
      assertArrayEquals(new byte[0], in.readFrame(4));
      assertArrayEquals(new byte[] {'e'}, in.readFrame(8));
      assertArrayEquals(new byte[] {'f'}, in.order(ByteOrder.LITTLE_ENDIAN).readFrame(3));
      assertThrows(IllegalArgumentException.class, () -> in.readFrame(5));
    }
  }

  @InLoop
  @Test
  void nothingIsLongerThanTheLimit() throws Exception {
    try (TcpPair pair = sentAndEnded("\0\0\0\nhello world; and more")) {
      ByteReader in = ByteReader.of(pair.server()).limit(8);

      var frame = assertThrows(FrameTooLongException.class, () -> in.readFrame(4));
      assertEquals(8, frame.limit());
      assertThrows(FrameTooLongException.class, () -> in.readBytes(9));
      assertEquals(10, in.readInt());
      assertThrows(FrameTooLongException.class, in::readLine);
      var piece = assertThrows(FrameTooLongException.class, () -> in.readUntil((byte) ';'));
      assertTrue(piece.getMessage().endsWith("a piece of more than 8 bytes"), piece::getMessage);
      assertEquals("hello", in.readText(5));
      assertArrayEquals(" world".getBytes(UTF_8), in.readUntil((byte) ';'));
      in.skip(4);
      assertEquals(" more", in.readLine());
    }
  }

  /// A length without its bytes is not a reason to take memory.
  @InLoop
  @Test
  void aLengthThatIsOnlyClaimedTakesNoMemory() throws Exception {
    try (TcpPair pair = sent(new byte[] {0x7f, 0, 0, 0})) {
      ByteReader in = ByteReader.of(pair.server()).limit(Integer.MAX_VALUE);
      Coroutine<byte[]> reader = Coroutine.spawn(() -> in.readFrame(4));
      pauses(50);
      reader.cancel();
      assertThrows(CancellationException.class, reader::await);
      assertTrue(in.peekBuffered().capacity() <= 1 << 17);
    }
  }

  @InLoop
  @Test
  void aFrameThatIsLeftEarlyIsThereAgain() throws Exception {
    try (TcpPair pair = sent(new byte[] {0, 0, 0, 3, 'a'})) {
      ByteReader in = ByteReader.of(pair.server());
      Coroutine<byte[]> first = Coroutine.spawn(() -> in.readFrame(4));
      pauses(50);
      assertThrows(BusyException.class, in::peek);
      first.cancel();
      assertThrows(CancellationException.class, first::await);

      pair.client().write("bc");
      assertArrayEquals("abc".getBytes(UTF_8), in.readFrame(4));
    }
  }

  @InLoop
  @Test
  void aFramerThatFailsHasTakenNothing() throws Exception {
    Framer<String> failing =
        new Framer<>() {
          @Override
          public String decode(ByteReader in) throws IOException {
            in.readInt();
            in.read(ByteBuffer.allocate(2));
            in.skip(1);
            in.read(Framer.lengthPrefixed(1));
            throw new IOException("no frame");
          }

          @Override
          public void encode(String frame, ByteWriter out) {
            throw new UnsupportedOperationException();
          }
        };
    try (TcpPair pair = sent("0123456\u0001xy".getBytes(UTF_8))) {
      ByteReader in = ByteReader.of(pair.server());

      assertThrows(IOException.class, () -> in.read(failing));
      assertEquals("0123456", in.readText(7));
      assertArrayEquals(new byte[] {'x'}, in.read(Framer.lengthPrefixed(1)));
      in.giveBack();
      assertEquals("y", Bytes.readText(pair.server(), 1));
    }
  }

  @InLoop
  @Test
  void bodiesBehindWhatIsHeldComeFromTheStream() throws Exception {
    byte[] body = Bytes.pattern(300_000);
    try (TcpPair pair = sent("head\n".getBytes(UTF_8))) {
      Coroutine.spawn(() -> pair.client().write(body));
      ByteReader in = ByteReader.of(pair.server()).limit(4);
      assertEquals("head", in.readLine());

      ByteBuffer into = ByteBuffer.allocate(body.length);
      in.readFully(into);
      assertArrayEquals(body, into.array());
    }
  }

  /// The same frames come out, whatever pieces they came in, and however often the reader was cancelled.
  @Test
  void noByteIsLostOrDoubledHoweverTheReaderIsCancelled() throws Exception {
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      List<byte[]> frames = new ArrayList<>();
      ByteBuffer all = ByteBuffer.allocate(1 << 20);
      for (int i = 0; i < 60; i++) {
        byte[] frame =
            Bytes.pattern(random.nextInt(10) == 0 ? random.nextInt(9000) : random.nextInt(40));
        frames.add(frame);
        all.putInt(frame.length).put(frame);
      }
      all.flip();
      Loop.run(
          () -> {
            try (TcpPair pair = TcpPair.open()) {
              Coroutine<?> writer =
                  Coroutine.spawn(
                      () -> {
                        while (all.hasRemaining()) {
                          int count = Math.min(all.remaining(), 1 + random.nextInt(300));
                          ByteBuffer piece = all.slice(all.position(), count);
                          pair.client().write(piece);
                          all.position(all.position() + count);
                          pauses(random.nextInt(4));
                        }
                      });
              ByteReader in = ByteReader.of(pair.server());
              for (byte[] frame : frames) {
                assertArrayEquals(frame, readStubbornly(in, random));
              }
              writer.await();
            }
          });
    }
  }

  private static byte[] readStubbornly(ByteReader in, Random random) throws Exception {
    while (true) {
      Coroutine<byte[]> reader = Coroutine.spawn(() -> in.read(Framer.lengthPrefixed(4)));
      pauses(random.nextInt(3));
      if (random.nextBoolean()) {
        reader.cancel();
      }
      try {
        return reader.await();
      } catch (CancellationException again) {
        assertTrue(reader.status().isEnded(), "what a cancelled reader had read stays");
      }
    }
  }

  /// Whose turn to let others run comes in the middle of what he reads: before the frame, or within.
  @InLoop
  @Test
  void nobodyElseTakesBytesOutOfTheMiddleOfAFrame() throws Exception {
    byte[] body = new byte[20];
    Arrays.fill(body, (byte) 7);
    for (int looks = 0; looks < 140; looks++) {
      int before = looks;
      try (TcpPair pair = sent((byte) 0, (byte) 0, (byte) 0, (byte) body.length)) {
        ByteReader in = ByteReader.of(pair.server());
        boolean[] inFrame = {false};
        Coroutine<byte[]> frame =
            Coroutine.spawn(
                () -> {
                  for (int i = 0; i <= before; i++) {
                    in.peek();
                  }
                  inFrame[0] = true;
                  return in.readFrame(4);
                });
        Coroutine<Void> thief =
            Coroutine.spawn(
                () -> {
                  while (!inFrame[0]) {
                    Coroutine.pause();
                  }
                  assertThrows(BusyException.class, in::readByte);
                });
        thief.await();
        pair.client().write(body);

        assertArrayEquals(body, frame.await());
      }
    }
  }

  @InLoop
  @Test
  void whatIsSkippedInAFrameCountsAsItsBytes() throws Exception {
    Framer<Integer> skipping =
        new Framer<>() {
          @Override
          public Integer decode(ByteReader in) throws IOException {
            in.skip(200);
            return 200;
          }

          @Override
          public void encode(Integer frame, ByteWriter out) {
            throw new AssertionError("only read");
          }
        };
    try (TcpPair pair = sent(new byte[300])) {
      ByteReader in = ByteReader.of(pair.server());
      assertTrue(in.request(300));

      assertThrows(FrameTooLongException.class, () -> in.limit(199).read(skipping));
      assertEquals(300, in.buffered());
      assertEquals(200, in.limit(200).read(skipping));
      in.limit(1).skip(100);
      assertEquals(0, in.buffered());
    }
  }
}
