// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.coro.Loop;
import dev.couv.fs.Fs;
import dev.couv.signal.Signal;
import dev.couv.time.Time;
import dev.couv.uv.Memory;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Sets its terminal to raw mode, and ends as the key says that is typed. With an argument the system
/// refuses some of what puts the mode back.
final class RawProgram {
  /// Each is one of several that put the terminal back.
  private static final List<String> REFUSED = List.of("on_exit", "sigaction", "raise");

  private RawProgram() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      REFUSED.forEach(
          call -> NativeCalls.replace(call, NativeCalls.failing(call, UvErrors.code("EIO"))));
    }
    Loop.run(
        () -> {
          var keys = Terminal.stdin();
          keys.mode(TerminalMode.RAW);
          Fs.readBytes(
              Path.of("/dev/null")); // with libuv's threads the process ends in another way
          System.out.println("ready");
          var key = keys.read();
          switch (key == null ? 'q' : (char) key.get()) {
            case 'q' -> System.out.println("bye");
            case 'n' -> {
              keys.mode(TerminalMode.NORMAL);
              System.out.println("normal");
              Time.sleep(Duration.ofHours(1));
            }
            case 'p' -> System.out.println("[" + keys.readPassword().length + " typed]");
            case 'b' -> {
              System.out.println("busy");
              while (true) {
                Thread.onSpinWait();
              }
            }
            case 'w' -> {
              try (var watch = Signal.watch(Signal.TSTP, Signal.CONT)) {
                System.out.println("watching");
                System.out.println("told " + watch.await());
                System.out.println("told " + watch.await());
              }
              keys.read();
            }
            case 'x' -> System.exit(3);
            case 'h' -> Runtime.getRuntime().halt(4);
            case 't' -> throw new IllegalStateException("thrown");
            case 'c' -> Memory.putLong(8, 1); // nothing is there: the VM crashes
            default -> System.out.println("?");
          }
        });
  }
}
