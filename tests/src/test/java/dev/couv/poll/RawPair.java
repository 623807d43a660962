// SPDX-License-Identifier: Apache-2.0
package dev.couv.poll;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.UvPipe;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Two connected descriptors that Couv does not know of, used by plain system calls.
@SuppressWarnings("restricted")
final class RawPair implements AutoCloseable {
  private static final int SOCK_STREAM = 1;
  private static final MethodHandle READ = call("read");
  private static final MethodHandle WRITE = call("write");

  private final int first;
  private final int second;
  private boolean secondOpen = true;

  RawPair() {
    long fds = Memory.malloc(8);
    try {
      assertTrue(
          UvPipe.uv_socketpair(
                  SOCK_STREAM, 0, fds, UvPipe.UV_NONBLOCK_PIPE, UvPipe.UV_NONBLOCK_PIPE)
              >= 0);
      first = Memory.getInt(fds);
      second = Memory.getInt(fds + 4);
    } finally {
      Memory.free(fds);
    }
  }

  int first() {
    return first;
  }

  int second() {
    return second;
  }

  static void write(int descriptor, int count) {
    assertTrue(transfer(WRITE, descriptor, count) == count);
  }

  /// Writes until nothing more goes in.
  static void fill(int descriptor) {
    while (transfer(WRITE, descriptor, 4096) > 0) {}
  }

  /// Reads all there is.
  static long drain(int descriptor) {
    long total = 0;
    for (long count; (count = transfer(READ, descriptor, 4096)) > 0; ) {
      total += count;
    }
    return total;
  }

  private static long transfer(MethodHandle call, int descriptor, long count) {
    try (Arena arena = Arena.ofConfined()) {
      return (long) call.invokeExact(descriptor, arena.allocate(JAVA_BYTE, count), count);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  private static MethodHandle call(String name) {
    Linker linker = Linker.nativeLinker();
    MemorySegment address = linker.defaultLookup().find(name).orElseThrow();
    return linker.downcallHandle(
        address, FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  }

  void closeSecond() {
    if (secondOpen) {
      secondOpen = false;
      Posix.close(second);
    }
  }

  @Override
  public void close() {
    Posix.close(first);
    closeSecond();
  }
}
