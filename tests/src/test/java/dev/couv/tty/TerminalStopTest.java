// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.signal.Signal;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Ctrl-Z and `fg`: while a program is stopped the terminal is as it was found, and afterwards as the program had set it.
@Tag("jvm")
final class TerminalStopTest {
  private static final String CTRL_Z = "\u001a";

  @Test
  void aPasswordIsHiddenAgainAfterAStop() throws Exception {
    try (var pty = new Pty()) {
      String before = pty.stty("-g");
      try (var program = PtyProgram.startStoppable(pty, RawProgram.class)) {
        pty.expect("ready");
        String raw = pty.stty("-g");
        pty.type("p");
        String hidden = raw;
        while (hidden.equals(raw)) {
          hidden = pty.stty("-g");
        }
        assertNotEquals(before, hidden);

        pty.type(CTRL_Z);
        assertEquals(before, stopped(pty));
        pty.type("\n");
        awaitSetting(hidden, pty);
        pty.type("secret\n");

        String shown = pty.expect("[6 typed]");
        assertFalse(shown.contains("secret"), shown);
        assertEquals(0, program.end());
        assertEquals(before, pty.stty("-g"));
      }
    }
  }

  /// Nobody can catch `STOP`: then the shell alone sees to the terminal while the program is stopped.
  @ParameterizedTest
  @EnumSource(names = {"TSTP", "STOP"})
  void rawModeIsSetAgain(Signal signal) throws Exception {
    try (var pty = new Pty()) {
      String before = pty.stty("-g");
      try (var program = PtyProgram.startStoppable(pty, RawProgram.class)) {
        pty.expect("ready");
        String raw = pty.stty("-g");
        assertNotEquals(before, raw);

        program.signal(signal);
        assertEquals(signal == Signal.STOP ? raw : before, stopped(pty));
        awaitSetting(before, pty); // the shell has the terminal: what is typed now is for it
        pty.type("\n");

        awaitSetting(raw, pty);
        pty.type("q");
        assertEquals(0, program.end());
        assertEquals(before, pty.stty("-g"));
      }
    }
  }

  /// What the keyboard asks for does not wait for the loop.
  @Test
  void aBusyLoopIsStoppedAsWell() throws Exception {
    try (var pty = new Pty()) {
      String before = pty.stty("-g");
      try (var program = PtyProgram.startStoppable(pty, RawProgram.class)) {
        pty.expect("ready");
        String raw = pty.stty("-g");
        pty.type("b");
        pty.expect("busy");

        program.signal(Signal.TSTP);
        assertEquals(before, stopped(pty));
        pty.type("\n");

        awaitSetting(raw, pty);
      }
    }
  }

  @Test
  void aProgramThatWatchesTheSignalsItselfIsToldAndNotStopped() throws Exception {
    try (var pty = new Pty();
        var program = PtyProgram.startStoppable(pty, RawProgram.class)) {
      pty.expect("ready");
      String raw = pty.stty("-g");
      pty.type("w");
      pty.expect("watching");

      program.signal(Signal.TSTP);
      pty.expect("told TSTP");
      assertEquals(raw, pty.stty("-g"));
      pty.stty("sane");
      program.signal(Signal.CONT);
      pty.expect("told CONT");
      awaitSetting(raw, pty);

      pty.type("q");
      pty.expect("[stopped"); // the shell goes on, because the program has ended
    }
  }

  /// Nobody could have the program go on that no shell knows of: the system does not stop it then.
  @ParameterizedTest
  @ValueSource(strings = {"", "refused"})
  void aProgramThatCannotBeStoppedGoesOnInItsMode(String refused) throws Exception {
    try (var pty = new Pty();
        var program =
            PtyProgram.start(
                pty,
                RawProgram.class,
                refused.isEmpty() ? new String[0] : new String[] {refused})) {
      pty.expect("ready");
      String raw = pty.stty("-g");

      program.signal(Signal.TSTP);
      awaitSetting(raw, pty);
      pty.type("x");

      assertEquals(3, program.end());
    }
  }

  private static String stopped(Pty pty) throws Exception {
    pty.expect("[stopped ");
    return pty.expect("]").replace("]", "");
  }

  private static void awaitSetting(String wanted, Pty pty) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!pty.stty("-g").equals(wanted)) {
      assertTrue(System.nanoTime() < deadline, "it is not set again");
    }
  }
}
