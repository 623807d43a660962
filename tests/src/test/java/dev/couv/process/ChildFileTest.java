// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static dev.couv.Utf8.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.host.Spawner;
import dev.couv.testing.InLoop;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// An open file that a child gets: whose turn it is, each goes on where the other stopped.
final class ChildFileTest {
  @ParameterizedTest
  @EnumSource(names = {"POSIX", "LIBUV"})
  void aFileIsWrittenInTurnByThisProgramAndItsChild(Spawner spawner, @TempDir Path dir)
      throws Exception {
    Path path = Files.writeString(dir.resolve("log"), "-------------------------------");
    Loop.run(
        () -> {
          try (OpenFile log = Fs.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            log.write(bytes("head\n"));
            Command command =
                Command.of("sh", "-c", "echo body; echo also >&2")
                    .stdout(Stdio.file(log))
                    .stderr(Stdio.file(log));
            for (int i = 0; i < 2; i++) {
              try (Child child = Ways.start(command, spawner)) {
                assertEquals(new Exit.Code(0), child.await());
              }
            }
            log.write(bytes("tail\n"));
            log.write(bytes("HEAD"), 0); // neither uses nor moves the place
            ByteBuffer rest = ByteBuffer.allocate(10);
            assertEquals(1, log.read(rest));
          }
        });

    assertEquals("HEAD\nbody\nalso\nbody\nalso\ntail\n-", Files.readString(path));
  }

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"POSIX", "LIBUV"})
  void aFileIsReadInTurnByThisProgramAndItsChild(Spawner spawner, @TempDir Path dir)
      throws Exception {
    Path path = Files.writeString(dir.resolve("lines"), "one\ntwo\nthree\nfour\n");
    try (OpenFile lines = Fs.open(path)) {
      ByteBuffer two = ByteBuffer.allocate(8);
      lines.readFully(two);
      lines.unread(two.flip().position(4)); // as one does who read too far
      Command command =
          Command.of("sh", "-c", "read x; echo $x; read x; echo $x")
              .stdin(Stdio.file(lines))
              .stdout(Stdio.pipe());
      try (Child child = Ways.start(command, spawner)) {
        ByteBuffer both = ByteBuffer.allocate("two\nthree\n".length());
        child.stdout().readFully(both);
        assertEquals("two\nthree\n", UTF_8.decode(both.flip()).toString());
        child.await();
      }
      // The shell has taken no more than its lines.
      Coroutine<Integer> cancelled =
          Coroutine.spawn(() -> lines.read(ByteBuffer.allocateDirect(3)));
      Coroutine.pause();
      cancelled.cancel();
      assertThrows(CancellationException.class, cancelled::await);
      ByteBuffer rest = ByteBuffer.allocate(10);
      while (lines.read(rest) > 0) {
        assertTrue(rest.position() > 0);
      }
      assertEquals("four\n", UTF_8.decode(rest.flip()).toString());
    }
  }

  @InLoop
  @Test
  void aSecondChildBeginsWhereTheNextReadWouldToo(@TempDir Path dir) throws Exception {
    Path path = Files.writeString(dir.resolve("lines"), "one\ntwo\nthree\n");
    try (OpenFile lines = Fs.open(path)) {
      Command command =
          Command.of("sh", "-c", "read x; echo $x").stdin(Stdio.file(lines)).stdout(Stdio.pipe());
      assertEquals("one\n", command.output().stdoutText());
      ByteBuffer much = ByteBuffer.allocate(8);
      lines.readFully(much);
      lines.unread(much.flip().position(4)); // as one does who read too far

      assertEquals("three\n", command.output().stdoutText());
      assertEquals(-1, lines.read(much.clear()));
    }
  }

  @Test
  void aFileToAppendToTakesEverybodysAtItsEnd(@TempDir Path dir) throws Exception {
    Path path = Files.writeString(dir.resolve("log"), "old\n");
    Loop.run(
        () -> {
          try (OpenFile log = Fs.open(path, StandardOpenOption.APPEND)) {
            log.write(bytes("head\n"));
            // Also while a coroutine writes: its bytes are before or behind the child's.
            Coroutine<?> writer = Coroutine.spawn(() -> log.write(bytes("while\n")));
            Coroutine.pause();
            try (Child child =
                Ways.start(Command.of("echo", "body").stdout(Stdio.file(log)), Spawner.POSIX)) {
              child.await();
            }
            writer.await();
            log.writeNow(bytes("tail\n"));
          }
        });

    List<String> lines = Files.readAllLines(path);
    assertEquals(List.of("old", "head"), lines.subList(0, 2));
    assertEquals(Set.of("while", "body"), Set.copyOf(lines.subList(2, 4)));
    assertEquals(List.of("tail"), lines.subList(4, lines.size()));
  }

  @Test
  void aFileThatIsBeingWrittenIsNotGivenToAChild(@TempDir Path dir) throws Exception {
    Loop.run(
        () -> {
          try (OpenFile file =
              Fs.open(dir.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            Coroutine<?> writer = Coroutine.spawn(() -> file.write(bytes("x")));
            Coroutine.pause();
            Command command = Command.of("echo", "y").stdout(Stdio.file(file));
            assertThrows(IllegalStateException.class, command::start);
            writer.await();
            try (Child child = command.start()) {
              child.await();
            }
          }
        });

    assertEquals("xy\n", Files.readString(dir.resolve("file")));
  }
}
