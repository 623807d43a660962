// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import static dev.couv.Utf8.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.BusyException;
import dev.couv.error.UvException;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Reading from and writing to a pseudo-terminal.
final class TerminalStreamTest {
  @InLoop
  @Test
  void aLineIsReadAndWhatIsWrittenIsShown() throws Exception {
    try (var pty = new Pty();
        var terminal = pty.terminal()) {
      pty.type("hello\n");
      assertEquals("hello", terminal.lines().next());
      terminal.write(UTF_8.encode("world\n"));
      pty.expect("world\r\n");
    }
  }

  @InLoop
  @Test
  void aCancelledReadLeavesTheNextKey() throws Exception {
    try (var pty = new Pty();
        var terminal = pty.terminal()) {
      for (int i = 0; i < 20; i++) {
        var reader = Coroutine.spawn(() -> terminal.read());
        Coroutine.pause();
        if (i % 2 == 0) {
          pty.type("early\n"); // it may have come, and not have been taken
        }
        reader.cancel();
        assertThrows(CancellationException.class, reader::await);
        if (i % 2 == 1) {
          pty.type("late\n");
        }
        assertEquals(i % 2 == 0 ? "early\n" : "late\n", text(terminal.read()));
      }
    }
  }

  @InLoop
  @Test
  void aReadThatTimesOutLeavesTheNextKey() throws Exception {
    try (var pty = new Pty();
        var terminal = pty.terminal()) {
      assertThrows(
          TimeoutException.class, () -> Time.timeout(Duration.ofMillis(1), () -> terminal.read()));
      pty.type("x\n");
      assertEquals("x\n", text(terminal.read()));
    }
  }

  @InLoop
  @Test
  void aSecondReaderIsRefusedAndClosingWakesTheFirst() throws Exception {
    try (var pty = new Pty()) {
      var terminal = pty.terminal();
      var reader =
          Coroutine.spawn(() -> assertThrows(ClosedChannelException.class, terminal::read));
      Coroutine.pause();
      assertThrows(BusyException.class, terminal::read);
      terminal.close();
      reader.await();
      assertFalse(terminal.isOpen());
      terminal.close();
    }
  }

  @InLoop
  @Test
  void ctrlDEndsTheStreamUntilItIsOpenedAgain() throws Exception {
    try (var pty = new Pty()) {
      try (var terminal = pty.terminal()) {
        pty.type("\u0004");
        assertNull(terminal.read());
        assertNull(terminal.read());
      }
      try (var terminal = pty.terminal()) {
        pty.type("more\n");
        assertEquals("more\n", text(terminal.read()));
      }
    }
  }

  @InLoop
  @Test
  void aTerminalThatGoesAwayEndsReadingAndRefusesWriting() throws Exception {
    try (var pty = new Pty();
        var terminal = pty.terminal()) {
      var reader = Coroutine.spawn(() -> terminal.read());
      Coroutine.pause();
      pty.hangUp();
      assertNull(reader.await());
      assertNull(terminal.read());
      var refused = assertThrows(UvException.class, () -> terminal.write(UTF_8.encode("x")));
      assertEquals("EIO", refused.code());
    }
  }

  @InLoop
  @Test
  void aTerminalThatNobodyLooksAtMakesOnlyTheWriterWait() throws Exception {
    try (var pty = new Pty();
        var terminal = pty.terminal()) {
      var flood = Coroutine.spawn(() -> terminal.write(ByteBuffer.allocate(1 << 20)));
      Time.sleep(Duration.ofMillis(1)); // others go on
      flood.cancel();
      assertThrows(CancellationException.class, flood::await);
    }
  }

  @Test
  void theDescriptorItselfStaysAsItWas() throws Exception {
    try (var pty = new Pty()) {
      Path about = Path.of("/proc/self/fdinfo/" + pty.slave());
      String before = flags(about);
      Loop.run(
          () -> {
            try (var terminal = pty.terminal()) {
              terminal.write(UTF_8.encode("x"));
              assertEquals(before, flags(about));
            }
          });
      assertEquals(before, flags(about));
    }
  }

  /// The other side cannot be opened anew, so the stream has the same open file.
  @Test
  void theSideOfTheOneWhoTypesIsATerminalToo() throws Exception {
    try (var pty = new Pty()) {
      String before = flags(Path.of("/proc/self/fdinfo/" + pty.master()));
      Loop.run(
          () -> {
            try (var keyboard = Terminal.open(pty.master(), "master");
                var terminal = pty.terminal()) {
              keyboard.write(UTF_8.encode("hello\n"));
              assertEquals("hello\n", text(terminal.read()));
              var shown = ByteBuffer.allocate("hello\r\n".length());
              keyboard.readFully(shown);
              assertEquals("hello\r\n", text(shown.flip()));
              assertThrows(
                  TimeoutException.class,
                  () -> Time.timeout(Duration.ofMillis(1), () -> keyboard.read()));
            }
          });
      assertEquals(before, flags(Path.of("/proc/self/fdinfo/" + pty.master())));
    }
  }

  private static String flags(Path about) throws Exception {
    return Files.readAllLines(about).stream()
        .filter(line -> line.startsWith("flags"))
        .findFirst()
        .orElseThrow();
  }
}
