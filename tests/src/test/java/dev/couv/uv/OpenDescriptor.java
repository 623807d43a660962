// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

import java.nio.file.Path;

/// A descriptor of the system over a new temporary file, for reading and writing: what Java's own files
/// do not tell.
public record OpenDescriptor(int number, Path file) implements AutoCloseable {
  private static final Call MKSTEMP = Call.errno("mkstemp", INT, POINTER);

  public static OpenDescriptor create() {
    String template = Path.of(System.getProperty("java.io.tmpdir"), "couv-XXXXXX").toString();
    long name = Memory.newString(template);
    try {
      int number = (int) MKSTEMP.call(name);
      if (number < 0) throw new AssertionError(UvErrors.name(number));
      return new OpenDescriptor(number, Path.of(Memory.getString(name)));
    } finally {
      Memory.free(name);
    }
  }

  @Override
  public void close() {
    Posix.close(number);
    file.toFile().delete();
  }
}
