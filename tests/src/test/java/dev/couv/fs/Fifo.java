// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;

/// A pipe with a name: whoever opens it waits for somebody at the other end.
final class Fifo {
  private Fifo() {}

  /// A new one, `fifo` in that directory.
  static Path in(Path directory) throws Exception {
    Path fifo = directory.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    return fifo;
  }
}
