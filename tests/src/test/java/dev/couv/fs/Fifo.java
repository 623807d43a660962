// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;

/// A pipe with a name: whoever opens it waits for somebody at the other end.
public final class Fifo {
  private Fifo() {}

  /// A new one, `fifo` in that directory.
  public static Path in(Path directory) throws Exception {
    return at(directory.resolve("fifo"));
  }

  /// A new one, there.
  public static Path at(Path path) throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
    return path;
  }
}
