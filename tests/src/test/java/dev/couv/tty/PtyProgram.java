// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.Needed;
import dev.couv.coro.FreshJvm;
import dev.couv.signal.Signal;
import java.io.File;
import java.util.ArrayList;
import java.util.List;

/// A program in a JVM of its own whose standard streams are a pseudo-terminal, started by a shell: the
/// terminal outlives the program, and is not reset by the system when it ends.
record PtyProgram(Pty terminal, Process shell) implements AutoCloseable {
  static PtyProgram start(Pty terminal, Class<?> program, String... arguments) throws Exception {
    return start(
        List.of(
            "sh",
            "-c",
            "trap : INT HUP; \"$@\"; echo \"[ended $?]\"; read -r rest; echo \"[$rest]\"",
            "sh"),
        terminal,
        program,
        arguments);
  }

  /// By a shell that knows jobs. If the program is stopped, it goes on in the background, and the shell sets the
  /// terminal for itself.
  static PtyProgram startAsJob(Pty terminal, Class<?> program) throws Exception {
    String script =
        """
        set -m
        "$@"
        stty sane -icanon -echo
        echo [background]
        bg >/dev/null
        wait $!
        echo "[ended $?]"
        read -r _
        """;
    return start(List.of("bash", "-c", script, "bash"), terminal, program);
  }

  /// By such a shell, too. If the program is stopped, the shell says how it finds the terminal, sets it as it was at
  /// first, and after a line has the program go on in the foreground.
  static PtyProgram startStoppable(Pty terminal, Class<?> program) throws Exception {
    String script =
        """
        set -m
        was=$(stty -g)
        "$@"
        echo "[stopped $(stty -g)]"
        stty "$was"
        read -r _
        fg >/dev/null
        echo "[ended $?]"
        read -r _
        """;
    return start(List.of("bash", "-c", script, "bash"), terminal, program);
  }

  private static PtyProgram start(
      List<String> shell, Pty terminal, Class<?> program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Needed.program("setsid"), "-c"));
    command.addAll(shell);
    command.addAll(FreshJvm.command(program, "-XX:TieredStopAtLevel=1", "-XX:ErrorFile=/dev/null"));
    command.addAll(List.of(arguments));
    File path = new File(terminal.path());
    return new PtyProgram(
        terminal,
        new ProcessBuilder(command)
            .redirectInput(path)
            .redirectOutput(path)
            .redirectError(path)
            .start());
  }

  /// Sends a signal to the program alone.
  void signal(Signal signal) throws Exception {
    Signal.send(shell.children().findFirst().orElseThrow().pid(), signal);
  }

  /// Waits for the end, and returns the status as the shell tells it.
  int end() throws Exception {
    terminal.expect("[ended ");
    return Integer.parseInt(terminal.expect("]").replace("]", ""));
  }

  @Override
  public void close() {
    shell.descendants().forEach(ProcessHandle::destroyForcibly);
    shell.destroyForcibly().onExit().join();
  }
}
