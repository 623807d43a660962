// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.coro.Loop;
import dev.couv.stream.ByteStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Copies standard input to standard output, and tells on standard error what the descriptors are then.
final class StandardEcho {
  private StandardEcho() {}

  public static void main(String[] arguments) throws Exception {
    String before = flags(0) + flags(1) + flags(2);
    Loop.run(
        () -> {
          var in = Terminal.stdin();
          var out = Terminal.stdout();
          System.out.println("begin");
          long copied = ByteStream.copy(in, out);
          out.write(UTF_8.encode("end " + copied + "\n"));
          System.out.println("System.out");
          Terminal.stderr()
              .write(UTF_8.encode((flags(0) + flags(1) + flags(2)).equals(before) + "\n"));
          // Open when the loop ends.
        });
    Loop.run(() -> Terminal.stdout().write(UTF_8.encode("another loop\n")));
    System.exit((flags(0) + flags(1) + flags(2)).equals(before) ? 0 : 1);
  }

  private static String flags(int descriptor) throws Exception {
    return Files.readAllLines(Path.of("/proc/self/fdinfo/" + descriptor)).get(1);
  }
}
