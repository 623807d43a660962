// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.net.LocalStream;
import dev.couv.net.TcpPair;
import dev.couv.testing.InLoop;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A stream as frames.
final class FramedTest {
  private record Message(int id, String text) {}

  private static final class Messages implements Framer<Message> {
    @Override
    public Message decode(ByteReader in) throws IOException {
      return new Message(in.readInt(), in.readText(in.readUnsignedShort()));
    }

    @Override
    public void encode(Message message, ByteWriter out) throws IOException {
      byte[] text = message.text().getBytes(java.nio.charset.StandardCharsets.UTF_8);
      out.writeInt(message.id());
      out.writeShort(text.length);
      out.write(text);
    }
  }

  @InLoop
  @Test
  void whoWritesBehindItsCloseIsTold() throws Exception {
    try (var pair = LocalStream.pair()) {
      var here = Framed.open(pair.first(), new Messages());
      here.write(new Message(1, "one"));
      here.close();

      assertThrows(ClosedChannelException.class, () -> here.write(new Message(2, "two")));
      assertThrows(ClosedChannelException.class, here::read);
    }
  }

  @InLoop
  @Test
  void framesGoBothWays() throws Exception {
    try (var pair = LocalStream.pair();
        var here = Framed.open(pair.first(), new Messages());
        var there = Framed.open(pair.second(), new Messages())) {
      Coroutine<List<Message>> echo =
          Coroutine.spawn(
              () -> {
                List<Message> seen = new ArrayList<>();
                for (Message message : there) {
                  seen.add(message);
                  there.write(message);
                }
                there.shutdown();
                return seen;
              });
      List<Message> sent = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        sent.add(new Message(i, "message " + i));
        here.write(sent.getLast());
      }
      here.shutdown();

      for (Message message : sent) {
        assertEquals(message, here.read());
      }
      assertNull(here.read());
      assertEquals(sent, echo.await());
    }
  }

  @InLoop
  @Test
  void closingFlushes() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      try (var lines = Framed.open(pair.client(), Framer.lines())) {
        lines.write("one");
        lines.write("two");
        assertThrows(IllegalArgumentException.class, () -> lines.write("three\nfour"));
      }
      assertTrue(pair.client().isClosed());
      assertEquals("one\ntwo\n", new String(pair.server().readAll(100), "UTF-8"));
    }
  }

  @InLoop
  @Test
  void aStreamThatEndsInAFrameIsAFailure() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      var frames = Framed.open(pair.server(), Framer.delimited((byte) 0)).limit(10);
      pair.client().write("a\0b");
      pair.client().shutdown();

      assertArrayEquals(new byte[] {'a'}, frames.read());
      assertThrows(EOFException.class, frames::read);
      assertThrows(EOFException.class, frames::read);
      frames.close();
      frames.close();
      assertTrue(frames.isClosed());
    }
  }

  @InLoop
  @Test
  void manyWritersTearNoFrame() throws Exception {
    try (TcpPair pair = TcpPair.open();
        var out = Framed.open(pair.client(), Framer.lengthPrefixed(2));
        var in = Framed.open(pair.server(), Framer.lengthPrefixed(2))) {
      for (int writer = 0; writer < 20; writer++) {
        byte mark = (byte) writer;
        Coroutine.spawn(
            () -> {
              for (int i = 0; i < 50; i++) {
                byte[] frame = new byte[1 + 37 * i];
                java.util.Arrays.fill(frame, mark);
                out.write(frame);
                if (i % 7 == 0) {
                  Coroutine.pause();
                }
              }
            });
      }
      int[] seen = new int[20];
      for (int i = 0; i < 20 * 50; i++) {
        byte[] frame = in.read();
        int writer = frame[0];
        assertEquals(1 + 37 * seen[writer]++, frame.length);
        for (byte each : frame) {
          assertEquals(writer, each);
        }
      }
    }
  }

  /// It is on its way up already: what closes must not throw the same once more.
  @InLoop
  @Test
  void aFailureThatWasToldIsNotToldAgainByClosing() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.server().reset();
      IOException told =
          assertThrows(
              IOException.class,
              () -> {
                try (var lines = Framed.open(pair.client(), Framer.lines())) {
                  while (true) {
                    lines.write("one");
                    lines.flush();
                  }
                }
              });
      assertEquals(0, told.getSuppressed().length);
      assertTrue(pair.client().isClosed());
    }
  }

  @InLoop
  @Test
  void aFailureThatNobodyWasToldOfIsToldByClosing() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      var lines = Framed.open(pair.client(), Framer.lines());
      pair.server().reset();
      assertThrows(IOException.class, lines::read);
      lines.write("one"); // goes at the end of the turn

      assertThrows(IOException.class, lines::close);
      assertTrue(pair.client().isClosed());
      lines.close();
    }
  }

  @InLoop
  @Test
  void aFrameWithItsDelimiterInItIsRefused() throws Exception {
    try (var pair = LocalStream.pair();
        var here = Framed.open(pair.first(), Framer.delimited((byte) 'a', (byte) 'b', (byte) 'a'));
        var there =
            Framed.open(pair.second(), Framer.delimited((byte) 'a', (byte) 'b', (byte) 'a'))) {
      for (String torn : List.of("aba", "xabay", "xab", "abab", "ab")) {
        assertThrows(IllegalArgumentException.class, () -> here.write(torn.getBytes(US_ASCII)));
      }
      List<String> whole = List.of("", "a", "xa", "abb", "baa", "xabya");
      for (String each : whole) {
        here.write(each.getBytes(US_ASCII));
      }
      for (String each : whole) {
        assertEquals(each, new String(there.read(), US_ASCII));
      }
      try (var lines = Framed.open(LocalStream.pair().first(), Framer.lines())) {
        assertThrows(IllegalArgumentException.class, () -> lines.write("one\r"));
      }
    }
  }

  @InLoop
  @Test
  void aFrameInsideOfAFrameThatDoesNotComeIsTheEndOfTheStream() throws Exception {
    for (Framer<?> inner : List.of(Framer.lines(), Framer.delimited((byte) 0))) {
      Framer<Object> outer =
          new Framer<>() {
            @Override
            public Object decode(ByteReader in) throws IOException {
              in.readInt();
              return inner.decode(in);
            }

            @Override
            public void encode(Object frame, ByteWriter out) {
              throw new AssertionError("only read");
            }
          };
      try (TcpPair pair = TcpPair.open()) {
        pair.client().write(new byte[4]);
        pair.client().shutdown();
        ByteReader in = ByteReader.of(pair.server());

        assertThrows(EOFException.class, () -> in.read(outer));
        assertEquals(4, in.buffered());
      }
    }
  }
}
