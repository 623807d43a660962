// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.EnumMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Modes and sizes of a pseudo-terminal, which all tests share: a terminal whose mode was changed keeps a
/// handle for good.
final class TerminalModeTest {
  private static Pty pty;
  private static String before;

  @BeforeAll
  static void open() throws Exception {
    pty = new Pty();
    pty.stty("rows", "24", "cols", "80");
    before = pty.stty("-g");
    Loop.run(
        () -> {
          // At the first change libuv does not tell its number for the terminal: there is another.
          int code = UvErrors.code("EBADF");
          try (var terminal = pty.terminal();
              var _ = NativeCalls.replace("uv_fileno", NativeCalls.failing("uv_fileno", code))) {
            terminal.mode(TerminalMode.RAW);
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

  @InLoop
  @Test
  @Behaviour("SD04")
  void rawAndNormalAndBinaryAreSetAndTheSizeIsTold() throws Exception {
    try (var terminal = pty.terminal()) {
      assertEquals(TerminalMode.NORMAL, terminal.mode());
      terminal.mode(TerminalMode.RAW);
      assertEquals(TerminalMode.RAW, terminal.mode());
      String raw = pty.stty("-a");
      assertTrue(raw.contains("-icanon") && raw.contains("-isig") && raw.contains("-echo"));
      assertTrue(raw.contains("\nopost"), raw);
      terminal.mode(TerminalMode.BINARY);
      assertTrue(pty.stty("-a").contains("-opost"));
      terminal.mode(TerminalMode.NORMAL);
      assertEquals(before, pty.stty("-g"));
      assertEquals(new TerminalSize(80, 24), terminal.size());
      assertTrue(terminal.isTerminal());
    }
  }

  @InLoop
  @Test
  void inRawModeEveryKeyComesAtOnceAndIsNotShown() throws Exception {
    try (var terminal = pty.terminal()) {
      terminal.mode(TerminalMode.RAW);
      pty.type("q");
      assertEquals(ByteBuffer.wrap(new byte[] {'q'}), terminal.read());
      pty.type("\u0003");
      assertEquals(ByteBuffer.wrap(new byte[] {3}), terminal.read());
      assertEquals("", pty.rest());
    }
  }

  @InLoop
  @Test
  void aModeThatOthersHaveChangedIsSetAgain() throws Exception {
    try (var terminal = pty.terminal()) {
      for (TerminalMode mode : TerminalMode.values()) {
        if (mode != TerminalMode.NORMAL) {
          terminal.mode(mode);
          String set = pty.stty("-g");
          pty.stty("sane");
          assertNotEquals(set, pty.stty("-g"));
          terminal.mode(mode);
          assertEquals(set, pty.stty("-g"), mode::toString);
        }
      }
    }
  }

  @Test
  void everyModeFollowsEveryOther() throws Exception {
    var settings = new EnumMap<TerminalMode, String>(TerminalMode.class);
    Loop.run(
        () -> {
          try (var terminal = pty.terminal()) {
            for (TerminalMode first : TerminalMode.values()) {
              for (TerminalMode second : TerminalMode.values()) {
                for (TerminalMode mode : List.of(first, second)) {
                  terminal.mode(mode);
                  assertEquals(mode, terminal.mode());
                  String set = settings.computeIfAbsent(mode, _ -> "").split(" ")[0];
                  String now = withoutLineEcho(pty.stty("-g"));
                  assertTrue(set.isEmpty() || set.equals(now), first + ", " + second);
                  settings.put(mode, now);
                }
              }
            }
          }
        });
    assertEquals(4, Set.copyOf(settings.values()).size());
  }

  /// What `stty` tells of it, except for a bit of the local modes that has no effect where keys come at once.
  private static String withoutLineEcho(String setting) {
    String[] words = setting.split(":");
    words[3] = Integer.toHexString(Integer.parseInt(words[3], 16) & ~0x40);
    return String.join(":", words);
  }

  @InLoop
  @Test
  void withoutEchoOnlyTheEndOfALineIsShown() throws Exception {
    try (var terminal = pty.terminal()) {
      terminal.mode(TerminalMode.NO_ECHO);
      pty.type("secreg\u007ft\n");
      assertEquals("secret\n", UTF_8.decode(terminal.read()).toString());
      terminal.write(UTF_8.encode("."));
      assertEquals("\r\n.", pty.expect("."));
    }
  }

  @InLoop
  @Test
  void anotherStreamOnTheSameTerminalSetsTheSameMode() throws Exception {
    try (var in = Terminal.open(pty.slave(), "in");
        var out = Terminal.open(pty.slave(), "out")) {
      in.mode(TerminalMode.RAW);
      assertEquals(TerminalMode.RAW, out.mode());
      out.mode(TerminalMode.NORMAL);
      assertEquals(TerminalMode.NORMAL, in.mode());
      assertEquals(before, pty.stty("-g"));
    }
  }

  @InLoop
  @Test
  void closingTheStreamPutsTheModeBack() throws Exception {
    var terminal = pty.terminal();
    terminal.mode(TerminalMode.RAW);
    terminal.close();
    assertEquals(before, pty.stty("-g"));
    assertThrows(ClosedChannelException.class, () -> terminal.mode(TerminalMode.RAW));
    assertThrows(ClosedChannelException.class, terminal::size);
  }

  @InLoop
  @Test
  void closingAnotherStreamLeavesTheMode() throws Exception {
    try (var in = Terminal.open(pty.slave(), "in")) {
      try (var out = Terminal.open(pty.slave(), "out")) {
        in.mode(TerminalMode.RAW);
        out.size();
      }
      assertNotEquals(before, pty.stty("-g"));
    }
  }

  @Test
  void anExceptionThatEndsTheLoopPutsTheModeBack() throws Exception {
    var thrown =
        assertThrows(
            IOException.class,
            () ->
                Loop.run(
                    () -> {
                      pty.terminal().mode(TerminalMode.RAW);
                      assertNotEquals(before, pty.stty("-g"));
                      throw new IOException("broken");
                    }));

    assertEquals("broken", thrown.getMessage());
    assertEquals(before, pty.stty("-g"));
  }

  @InLoop
  @Test
  void refusalsOfTheSystemAreToldAndLeaveNothing() throws Exception {
    int code = UvErrors.code("EIO");
    for (String call : new String[] {"uv_tty_init", "dup"}) {
      try (var _ = NativeCalls.replace(call, NativeCalls.failing(call, code))) {
        assertEquals("EIO", assertThrows(UvException.class, () -> pty.terminal()).code());
      }
    }
    try (var terminal = pty.terminal()) {
      try (var _ =
          NativeCalls.replace("uv_tty_set_mode", NativeCalls.failing("uv_tty_set_mode", code))) {
        assertThrows(UvException.class, () -> terminal.mode(TerminalMode.RAW));
      }
      assertEquals(TerminalMode.NORMAL, terminal.mode());
      try (var _ = NativeCalls.replace("tcsetattr", NativeCalls.failing("tcsetattr", code))) {
        assertThrows(UvException.class, () -> terminal.mode(TerminalMode.NO_ECHO));
      }
      assertEquals(TerminalMode.NORMAL, terminal.mode());
      try (var _ =
          NativeCalls.replace(
              "uv_tty_get_winsize", NativeCalls.failing("uv_tty_get_winsize", code))) {
        assertThrows(UvException.class, terminal::size);
        assertThrows(UvException.class, terminal::onResize);
      }
    }
  }

  /// Without knowing how it was set, or who else has it, the mode is set and put back all the same.
  @InLoop
  @Test
  void aTerminalOfWhichTheSystemTellsNothingIsSetAndPutBack() throws Exception {
    int code = UvErrors.code("EIO");
    for (String call : new String[] {"tcgetattr", "tcgetpgrp"}) {
      try (var _ = NativeCalls.replace(call, NativeCalls.failing(call, code))) {
        try (var terminal = pty.terminal()) {
          terminal.mode(TerminalMode.RAW);
          assertNotEquals(before, pty.stty("-g"));
        }
        assertEquals(before, pty.stty("-g"), call);
      }
    }
  }

  /// Nor does it say that it hides what is typed.
  @InLoop
  @Test
  void aTerminalOfWhichTheSystemTellsNothingIsNotAskedForPasswords() throws Exception {
    int code = UvErrors.code("EIO");
    try (var terminal = pty.terminal();
        var _ = NativeCalls.replace("tcgetattr", NativeCalls.failing("tcgetattr", code))) {
      assertEquals("ENOTSUP", assertThrows(UvException.class, terminal::readPassword).code());
      assertEquals(TerminalMode.NORMAL, terminal.mode());
    }
    assertEquals(before, pty.stty("-g"));
  }

  /// Of another terminal: the handle that a mode needs is made at the first change.
  @Test
  void aFirstChangeThatIsRefusedLeavesNothing() throws Exception {
    int code = UvErrors.code("EIO");
    try (var fresh = new Pty()) {
      String normal = fresh.stty("-g");
      Loop.run(
          () -> {
            try (var terminal = fresh.terminal();
                var _ =
                    NativeCalls.replace(
                        "uv_loop_close", NativeCalls.failingAfterwards("uv_loop_close", code));
                var _ =
                    NativeCalls.replace("close", NativeCalls.failingAfterwards("close", code))) {
              for (String call : new String[] {"uv_loop_init", "uv_tty_init", "dup"}) {
                try (var _ = NativeCalls.replace(call, NativeCalls.failing(call, code))) {
                  var refused =
                      assertThrows(UvException.class, () -> terminal.mode(TerminalMode.RAW));
                  assertEquals("EIO", refused.code());
                }
                assertEquals(TerminalMode.NORMAL, terminal.mode());
              }
            }
          });
      assertEquals(normal, fresh.stty("-g"));
    }
  }

  @Test
  void anotherThreadIsRefused() throws Exception {
    Loop.run(
        () -> {
          try (var terminal = pty.terminal()) {
            Loop.offload(
                () -> {
                  assertThrows(IllegalStateException.class, () -> terminal.mode(TerminalMode.RAW));
                  return assertThrows(IllegalStateException.class, terminal::size);
                });
          }
        });
    assertThrows(IllegalStateException.class, Terminal::stdin);
  }
}
