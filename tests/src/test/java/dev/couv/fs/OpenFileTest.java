// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.Utf8.bytes;
import static dev.couv.stream.Bytes.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.net.TcpPair;
import dev.couv.stream.ByteStream;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OpenFileTest {
  private static final StandardOpenOption READ = StandardOpenOption.READ;
  private static final StandardOpenOption WRITE = StandardOpenOption.WRITE;
  private static final StandardOpenOption CREATE = StandardOpenOption.CREATE;

  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI17")
  void openingFailsWhereItSaysSo(BothWays way) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    way.run(
        () -> {
          assertThrows(NoSuchFileException.class, () -> way.fs("open", dir.resolve("missing")));
          assertThrows(
              FileAlreadyExistsException.class,
              () -> way.fs("open", file, WRITE, StandardOpenOption.CREATE_NEW));
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  way.fs(
                      "open",
                      file,
                      StandardOpenOption.APPEND,
                      StandardOpenOption.TRUNCATE_EXISTING));
          UvException directory = assertThrows(UvException.class, () -> way.fs("open", dir, WRITE));
          assertEquals("EISDIR", directory.code());
          assertEquals("open", directory.call());
          assertEquals(dir.toString(), directory.subject());
        });
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI20")
  void theWrongDirectionFailsAndLeavesTheBufferAlone(BothWays way) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "text");
    way.run(
        () -> {
          ByteBuffer buffer = bytes("....");
          try (OpenFile open = way.fs("open", file, WRITE)) {
            UvException thrown =
                assertThrows(UvException.class, () -> way.file(open, "read", buffer));
            assertEquals("EBADF", thrown.code());
          }
          try (OpenFile open = way.fs("open", file, READ)) {
            UvException thrown =
                assertThrows(UvException.class, () -> way.file(open, "write", buffer));
            assertEquals("EBADF", thrown.code());
          }
          assertEquals(0, buffer.position());
          assertEquals("....", new String(buffer.array()));
        });
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI21")
  void readsGoOnAndReadsWithAnOffsetDoNot(BothWays way) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "hello, world");
    way.run(
        () -> {
          try (OpenFile open = way.fs("open", file)) {
            ByteBuffer five = ByteBuffer.allocate(5);
            assertEquals(5, way.<Integer>file(open, "read", five));
            assertEquals("hello", text(five));
            assertEquals(5, way.<Integer>file(open, "read", five.clear(), 7L));
            assertEquals("world", text(five));
            assertEquals(5, way.<Integer>file(open, "read", five.clear()));
            assertEquals(", wor", text(five));
            assertEquals(2, way.<Integer>file(open, "read", five.clear()));
            assertEquals(-1, way.<Integer>file(open, "read", five.clear()));
            assertEquals(-1, way.<Integer>file(open, "read", five.clear(), 99L));

            Files.writeString(file, "!", StandardOpenOption.APPEND);
            assertEquals(1, way.<Integer>file(open, "read", five.clear()));
            assertEquals(0, way.<Integer>file(open, "read", ByteBuffer.allocate(0)));
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void severalBuffersOfBothKindsAreWrittenInOrder(BothWays way) throws Exception {
    Path file = dir.resolve("file");
    byte[] large = new byte[3 << 20];
    new Random(1).nextBytes(large);
    way.run(
        () -> {
          try (OpenFile open = way.fs("open", file, WRITE, CREATE)) {
            ByteBuffer direct = ByteBuffer.allocateDirect(large.length).put(large).flip();
            way.file(open, "write", bytes("one "), direct, bytes(" two"));
            assertFalse(direct.hasRemaining());
            way.file(open, "write", bytes("three"));
            way.file(open, "write", bytes("ONE"), 0L);
          }
        });

    byte[] all = Files.readAllBytes(file);
    assertEquals(large.length + 13, all.length);
    assertEquals("ONE ", new String(all, 0, 4));
    assertArrayEquals(large, java.util.Arrays.copyOfRange(all, 4, 4 + large.length));
    assertEquals(" twothree", new String(all, 4 + large.length, 9));
  }

  @ParameterizedTest
  @EnumSource
  void moreBuffersThanOneCallTakesAreWrittenAll(BothWays way) throws Exception {
    Path file = dir.resolve("file");
    ByteBuffer[] many = new ByteBuffer[1000];
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < many.length; i++) {
      many[i] = ByteBuffer.allocateDirect(8).put(("" + i).getBytes()).flip();
      expected.append(i);
    }
    way.run(
        () -> {
          try (OpenFile open = way.fs("open", file, WRITE, CREATE)) {
            way.file(open, "write", (Object[]) many);
          }
        });

    assertEquals(expected.toString(), Files.readString(file));
  }

  @ParameterizedTest
  @EnumSource
  void appendingAlwaysWritesAtTheEnd(BothWays way) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "old");
    way.run(
        () -> {
          try (OpenFile open = way.fs("open", file, StandardOpenOption.APPEND)) {
            way.file(open, "write", bytes(" new"));
            Files.writeString(file, " other", StandardOpenOption.APPEND);
            way.file(open, "write", bytes(" newer"));
          }
        });

    assertEquals("old new other newer", Files.readString(file));
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour({"FI24", "FI25"})
  void aFileIsCutOffAndMadeLonger(BothWays way) throws Exception {
    Path file = Files.write(dir.resolve("file"), new byte[1000]);
    way.run(
        () -> {
          try (OpenFile open = way.fs("open", file, WRITE)) {
            way.file(open, "resize", 256L);
            assertEquals(256, way.<Long>file(open, "size"));
            way.file(open, "resize", 5L << 30);
            assertEquals(5L << 30, way.<FileInfo>file(open, "info").size());
            assertTrue(way.<FileInfo>file(open, "info").blocks() < 100, "it has a hole");
            way.file(open, "write", bytes("far"), (5L << 30) - 3);
            assertThrows(IllegalArgumentException.class, () -> way.file(open, "resize", -1L));
          }
          try (OpenFile open = way.fs("open", file)) {
            ByteBuffer three = ByteBuffer.allocate(3);
            way.file(open, "read", three, (5L << 30) - 3);
            assertEquals("far", text(three));
            UvException thrown =
                assertThrows(UvException.class, () -> way.file(open, "resize", 1L));
            assertEquals("EINVAL", thrown.code());
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void whatIsKnownIsSetThroughTheOpenFile(BothWays way) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    Instant time = Instant.parse("2020-02-02T02:02:02.020202021Z");
    way.run(
        () -> {
          try (OpenFile open = way.fs("open", file, WRITE)) {
            way.file(open, "chmod", 0604);
            way.file(open, "chown", -1, -1);
            way.file(open, "touch", time, time);
            way.file(open, "flush");
            way.file(open, "flushData");
            FileInfo info = way.file(open, "info");
            assertEquals("rw----r--", PosixFilePermissions.toString(info.permissions()));
            assertEquals(time, info.modified());
            assertEquals(way.<FileInfo>fs("info", file), info);
            way.file(open, "chmod", PosixFilePermissions.fromString("rwx------"));
            assertEquals(0700, way.<FileInfo>file(open, "info").mode() & 0777);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI27")
  void aClosedFileIsRefusedAndClosingAgainDoesNothing(BothWays way) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    way.run(
        () -> {
          OpenFile open = way.fs("open", file);
          open.close();
          open.close();

          assertFalse(open.isOpen());
          for (String call : List.of("info", "size", "flush")) {
            assertThrows(ClosedChannelException.class, () -> way.file(open, call));
          }
          assertThrows(
              ClosedChannelException.class, () -> way.file(open, "read", ByteBuffer.allocate(1)));
          assertThrows(ClosedChannelException.class, () -> way.file(open, "write", bytes("x")));
        });
  }

  @Test
  void linesOfSeveralWritersDoNotMix() throws Exception {
    Path file = dir.resolve("log");
    Loop.run(
        () -> {
          try (OpenFile log = Fs.open(file, WRITE, CREATE)) {
            List<Coroutine<?>> writers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              String line = ("" + i).repeat(2000) + "\n";
              writers.add(
                  Coroutine.spawn(
                      () -> {
                        for (int n = 0; n < 250; n++) {
                          log.write(bytes(line.substring(0, 1000)), bytes(line.substring(1000)));
                        }
                      }));
            }
            for (Coroutine<?> writer : writers) {
              writer.await();
            }
          }
        });

    TreeMap<String, Integer> counts = new TreeMap<>();
    Files.readAllLines(file).forEach(line -> counts.merge(line, 1, Integer::sum));
    assertEquals(4, counts.size());
    counts.forEach((line, count) -> assertEquals(250, count));
  }

  @InLoop
  @ParameterizedTest
  @CsvSource({"0, 10000000", "5, 7", "9999990, 100", "10000000, 5", "0, 0"})
  @Behaviour("FI23")
  void aPartOfAFileGoesToASocket(long offset, long length) throws Exception {
    byte[] content = new byte[10_000_000];
    new Random(7).nextBytes(content);
    Path file = Files.write(dir.resolve("file"), content);
    int expected = (int) Math.max(0, Math.min(length, content.length - offset));
    try (TcpPair pair = TcpPair.open();
        OpenFile open = Fs.open(file)) {
      Coroutine<Long> sender =
          Coroutine.spawn(
              () -> {
                pair.server().write(bytes("<"));
                long sent = open.sendTo(pair.server(), offset, length);
                pair.server().write(bytes(">"));
                return sent;
              });
      ByteBuffer received = ByteBuffer.allocate(expected + 2);
      pair.client().readFully(received);

      assertEquals(expected, sender.await());
      assertEquals('<', received.get(0));
      assertEquals('>', received.get(expected + 1));
      assertArrayEquals(
          java.util.Arrays.copyOfRange(content, (int) offset, (int) offset + expected),
          java.util.Arrays.copyOfRange(received.array(), 1, expected + 1));
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void anEmptyFileIsUsedAsAnyOther(BothWays way) throws Exception {
    Path empty = Files.createFile(dir.resolve("empty"));
    Path copy = dir.resolve("copy");
    way.run(
        () -> {
          assertEquals("", way.fs("readString", empty));
          assertEquals(0, way.<byte[]>fs("readBytes", empty).length);
          FileLines lines = way.fs("lines", empty);
          try (lines) {
            assertEquals(null, lines.next());
          }
          way.fs("copy", empty, copy);
          assertEquals(0, way.<FileInfo>fs("info", copy).size());
          way.fs("writeString", copy, "");
          OpenFile open = way.fs("open", copy);
          try (open) {
            assertEquals(-1, (int) way.file(open, "read", ByteBuffer.allocate(1)));
            assertEquals(0, (int) way.file(open, "read", ByteBuffer.allocate(0)));
          }
        });
    try (TcpPair pair = TcpPair.open();
        OpenFile open = Fs.open(empty)) {
      assertEquals(0, open.sendTo(pair.server(), 0, 100));
    }
  }

  @Test
  void aFileIsAByteStream() throws Exception {
    Path from = Files.writeString(dir.resolve("from"), "one\ntwo\n");
    Path to = dir.resolve("to");
    Loop.run(
        () -> {
          try (OpenFile source = Fs.open(from)) {
            assertEquals("one", source.lines().next());
          }
          try (OpenFile source = Fs.open(from);
              OpenFile target = Fs.open(to, WRITE, CREATE)) {
            assertEquals(8, ByteStream.copy(source, target));
            assertEquals(8, source.sendTo(target, 0, 100));
          }
        });

    assertEquals("one\ntwo\none\ntwo\n", Files.readString(to));
  }

  @InLoop
  @Test
  void aFileOfAnotherLoopIsRefused() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "text");
    try (OpenFile open = Fs.open(file)) {
      open.info();
      Exception thrown =
          Loop.offload(
              () -> assertThrows(IllegalStateException.class, () -> open.readNow(bytes("x"))));
      assertTrue(thrown.getMessage().contains("another loop or thread"));
      Loop.offload(() -> assertThrows(IllegalStateException.class, open::realPathNow));
      ByteBuffer four = ByteBuffer.allocate(4);
      open.read(four);
      assertEquals("text", text(four));
    }
  }
}
