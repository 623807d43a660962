// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.signal.Signal;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// However a program ends that has set its terminal to raw mode, the terminal is put back. What ends a program from
/// outside does not depend on the engine, so it is tried on one.
@Tag("jvm")
final class TerminalEndTest {
  @ParameterizedTest
  @CsvSource({"q, 0", "x, 3", "h, 4", "t, 1", "c, 134"})
  void byItself(String key, int status) throws Exception {
    try (var pty = new Pty()) {
      String before = pty.stty("-g");
      try (var program = PtyProgram.start(pty, RawProgram.class)) {
        pty.expect("ready");
        assertNotEquals(before, pty.stty("-g"));
        pty.type(key);
        assertEquals(status, program.end());
        assertPutBack(before, pty);
      }
    }
  }

  @ParameterizedTest
  @Tag("loop-scheduled-engine")
  @CsvSource({"INT, 130", "TERM, 143", "HUP, 129", "ABRT, 134", "KILL, 137", "ALRM, 142"})
  void byASignal(Signal signal, int status) throws Exception {
    try (var pty = new Pty()) {
      String before = pty.stty("-g");
      try (var program = PtyProgram.start(pty, RawProgram.class)) {
        pty.expect("ready");
        program.signal(signal);
        assertEquals(status, program.end());
        assertPutBack(before, pty);
      }
    }
  }

  @Test
  void alsoIfTheSystemRefusesWhatItIsToldFirst() throws Exception {
    try (var pty = new Pty()) {
      String before = pty.stty("-g");
      try (var program = PtyProgram.start(pty, RawProgram.class, "refused")) {
        pty.expect("ready");
        assertNotEquals(before, pty.stty("-g"));
        pty.type("x");
        assertEquals(3, program.end());
        assertPutBack(before, pty);
      }
    }
  }

  /// As a shell does that gets its terminal back from a program that was killed.
  @Test
  @Tag("loop-scheduled-engine")
  void whoSetsTheTerminalNextIsNotDisturbed() throws Exception {
    try (var pty = new Pty();
        var program = PtyProgram.start(pty, RawProgram.class)) {
      pty.expect("ready");
      pty.stty("sane", "-icanon", "-echo", "isig");
      String theirs = pty.stty("-g");
      program.signal(Signal.KILL);
      assertEquals(137, program.end());
      while (program.shell().children().findAny().isPresent()) { // the guard
        Thread.onSpinWait();
      }
      assertEquals(theirs, pty.stty("-g"));
    }
  }

  /// Ctrl-Z and `bg`: then the terminal is the shell's, which has set it as it likes.
  @ParameterizedTest
  @Tag("loop-scheduled-engine")
  @CsvSource({"'', ready", "n, normal"})
  void inTheBackgroundItIsLeftToWhoHasIt(String key, String shown) throws Exception {
    try (var pty = new Pty();
        var program = PtyProgram.startAsJob(pty, RawProgram.class)) {
      pty.expect("ready");
      if (!key.isEmpty()) {
        pty.type(key);
        pty.expect(shown);
      }
      program.signal(Signal.STOP);
      pty.expect("[background]");
      String theirs = pty.stty("-g");
      program.signal(Signal.TERM);
      assertEquals(143, program.end());
      assertEquals(theirs, pty.stty("-g"));
    }
  }

  /// The shell must not take it for a command.
  @Test
  @Tag("loop-scheduled-engine")
  void halfAPasswordIsNotLeftToWhoReadsNext() throws Exception {
    try (var pty = new Pty()) {
      String before = pty.stty("-g");
      try (var program = PtyProgram.start(pty, RawProgram.class)) {
        pty.expect("ready");
        String raw = pty.stty("-g");
        pty.type("p");
        while (pty.stty("-g").equals(raw)) {
          Thread.onSpinWait();
        }
        pty.type("half");
        program.signal(Signal.TERM);
        assertEquals(143, program.end());
        assertPutBack(before, pty);
        pty.type("\n"); // for the shell, which reads a line
        pty.expect("[]");
      }
    }
  }

  @Test
  @Tag("loop-scheduled-engine")
  void byATerminalThatGoesAway() throws Exception {
    try (var pty = new Pty();
        var program = PtyProgram.start(pty, RawProgram.class)) {
      pty.expect("ready");
      var java = program.shell().children().findFirst().orElseThrow();
      pty.hangUp(); // the system sends HUP
      java.onExit().get(60, TimeUnit.SECONDS);
    }
  }

  /// Where the program could not do it itself it is done a moment later.
  private static void assertPutBack(String before, Pty pty) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!pty.stty("-g").equals(before)) {
      assertTrue(System.nanoTime() < deadline, "it is not put back");
    }
  }
}
