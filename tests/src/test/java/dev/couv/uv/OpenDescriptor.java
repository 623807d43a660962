// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// A descriptor of the system over a new temporary file, for reading and writing: what Java's own files
/// do not tell.
public record OpenDescriptor(int number, Path file) implements AutoCloseable {
  private static final MethodHandle MKSTEMP =
      Binder.bindErrno("mkstemp", FunctionDescriptor.of(JAVA_INT, POINTER));

  public static OpenDescriptor create() {
    String template = Path.of(System.getProperty("java.io.tmpdir"), "couv-XXXXXX").toString();
    long name = Memory.newString(template);
    try {
      int number = (int) MKSTEMP.invokeExact(name);
      if (number < 0) throw new AssertionError(UvErrors.name(number));
      return new OpenDescriptor(number, Path.of(Memory.getString(name)));
    } catch (Throwable t) {
      throw Native.unexpected(t);
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
