// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.coro.Loop;
import dev.couv.fs.Fs;
import dev.couv.uv.Memory;
import java.nio.file.Path;

/// Sets its terminal to raw mode, and ends as the key says that is typed.
final class RawProgram {
  private RawProgram() {}

  public static void main(String[] arguments) throws Exception {
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
            case 'x' -> System.exit(3);
            case 'h' -> Runtime.getRuntime().halt(4);
            case 't' -> throw new IllegalStateException("thrown");
            case 'c' -> Memory.putLong(8, 1); // nothing is there: the VM crashes
            default -> System.out.println("?");
          }
        });
  }
}
