// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.BusyException;
import dev.couv.process.Command;
import dev.couv.process.Stdio;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Passwords, typed at a pseudo-terminal that all tests share: one whose mode was changed keeps a handle for good.
final class PasswordTest {
  private static Pty pty;
  private static String before;

  @BeforeAll
  static void open() throws Exception {
    pty = new Pty();
    before = pty.stty("-g");
    Loop.run(
        () -> {
          try (var terminal = pty.terminal()) {
            terminal.mode(TerminalMode.NO_ECHO);
          }
        });
  }

  @AfterAll
  static void close() {
    pty.close();
  }

  @BeforeEach
  void isNormal() throws Exception {
    assertEquals(before, pty.stty("-g"));
    pty.rest();
  }

  @FunctionalInterface
  private interface Body {
    void run(Terminal terminal) throws Exception;
  }

  private static void inLoop(Body body) throws Exception {
    Loop.run(
        () -> {
          try (var terminal = pty.terminal()) {
            body.run(terminal);
          }
        });
  }

  /// As bytes, which is how keys come.
  private static String keys(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  @Test
  void isNotShownAndTheModeIsAsBefore() throws Exception {
    inLoop(
        terminal -> {
          var password = Coroutine.spawn(terminal::readPassword);
          Coroutine.pause();
          assertEquals(TerminalMode.NO_ECHO, terminal.mode());
          pty.type(keys("gr\u00fc\u00df \u4e16\n"));
          assertArrayEquals("gr\u00fc\u00df \u4e16".toCharArray(), password.await());
          assertEquals(before, pty.stty("-g"));
          terminal.write(UTF_8.encode("."));
          assertEquals("\r\n.", pty.expect("."));
        });
  }

  @Test
  void canBeEmptyAndCanBeMissing() throws Exception {
    inLoop(
        terminal -> {
          pty.type("\n\u0004");
          assertEquals(0, terminal.readPassword().length);
          assertNull(terminal.readPassword());
        });
  }

  @Test
  void takesOneLineFromRawModeAndGoesBackToIt() throws Exception {
    inLoop(
        terminal -> {
          terminal.mode(TerminalMode.RAW);
          String raw = pty.stty("-g");
          var password = Coroutine.spawn(terminal::readPassword);
          Coroutine.pause();
          pty.type("one\ntwo");
          assertArrayEquals("one".toCharArray(), password.await());
          assertEquals(TerminalMode.RAW, terminal.mode());
          assertEquals(raw, pty.stty("-g"));
          var next = ByteBuffer.allocate(3);
          terminal.readFully(next);
          assertEquals("two", UTF_8.decode(next.flip()).toString());
        });
  }

  @Test
  void halfOfItIsForNobodyIfItIsLeft() throws Exception {
    inLoop(
        terminal -> {
          var cancelled = Coroutine.spawn(terminal::readPassword);
          Coroutine.pause();
          pty.type("half");
          cancelled.cancel();
          assertThrows(CancellationException.class, cancelled::await);
          assertEquals(before, pty.stty("-g"));
          var resumed = Coroutine.spawn(() -> assertThrows(Resumed.class, terminal::readPassword));
          Coroutine.pause();
          pty.type("half");
          resumed.resume();
          resumed.await();
          assertEquals(before, pty.stty("-g"));
          pty.type("next\n");
          assertEquals("next\n", UTF_8.decode(terminal.read()).toString());
        });
  }

  @Test
  void closingTheTerminalEndsItAndPutsTheModeBack() throws Exception {
    inLoop(
        terminal -> {
          var waiting =
              Coroutine.spawn(
                  () -> assertThrows(ClosedChannelException.class, terminal::readPassword));
          Coroutine.pause();
          terminal.close();
          waiting.await();
          assertEquals(before, pty.stty("-g"));
          assertThrows(ClosedChannelException.class, terminal::readPassword);
        });
  }

  @Test
  void aSecondReaderAndAnotherThreadAreRefused() throws Exception {
    inLoop(
        terminal -> {
          var reader = Coroutine.spawn(() -> terminal.read());
          Coroutine.pause();
          pty.type("fir");
          assertThrows(BusyException.class, terminal::readPassword);
          assertEquals(before, pty.stty("-g"));
          Loop.offload(() -> assertThrows(IllegalStateException.class, terminal::readPassword));
          pty.type("st\n");
          assertEquals("first\n", UTF_8.decode(reader.await()).toString());
        });
  }

  @InLoop
  @Test
  void comesFromAPipeAsItIs() throws Exception {
    var child = Command.of("printf", "one\\r\\ntwo\\nthree").stdout(Stdio.pipe()).start();
    try (var out = child.stdout();
        var pipe = Terminal.open(((dev.couv.wire.NativeStream) out).descriptor(), "pipe")) {
      assertArrayEquals("one".toCharArray(), pipe.readPassword());
      assertArrayEquals("two".toCharArray(), pipe.readPassword());
      assertArrayEquals("three".toCharArray(), pipe.readPassword());
      assertNull(pipe.readPassword());
    }
    child.await();
  }

  /// What was typed before is then taken for its beginning, which nobody can help.
  @Test
  void aPasswordThatIsLeftLeavesTheTerminalAsItWasAlsoIfTheSystemKeepsTheKeys() throws Exception {
    int code = UvErrors.code("EIO");
    inLoop(
        terminal -> {
          try (var _ = NativeCalls.replace("tcflush", NativeCalls.failing("tcflush", code))) {
            var password = Coroutine.spawn(terminal::readPassword);
            Coroutine.pause();
            password.cancel();
            assertThrows(CancellationException.class, password::await);
          }
        });
    assertEquals(before, pty.stty("-g"));
  }
}
