// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// Loads a library out of memory: a file without a name, which no disk, no mount option and no other user has a
/// say in. Linux only, and not where the administrator forbids it.
///
/// Its calls are not in the table of the others: they are made before there is a libuv, once.
final class Memfd {
  private static final int MFD_CLOEXEC = 1;

  private Memfd() {}

  /// Empty if the system does not let us. `name` is what a list of mappings shows.
  static Optional<SymbolLookup> load(String name, byte[] library) {
    if (!Platform.isLinux() || !Native.systemHas("memfd_create")) return Optional.empty();
    MethodHandle create = find("memfd_create", JAVA_INT, ADDRESS, JAVA_INT);
    MethodHandle close = find("close", JAVA_INT, JAVA_INT);
    try (Arena arena = Arena.ofConfined()) {
      int fd = (int) create.invokeExact(arena.allocateFrom(name), MFD_CLOEXEC);
      if (fd < 0) return Optional.empty();
      try {
        if (!write(fd, arena.allocateFrom(JAVA_BYTE, library))) return Optional.empty();
        return Native.open("/proc/self/fd" + detour() + "/" + fd);
      } finally {
        int _ = (int) close.invokeExact(fd); // a loaded library is a mapping
      }
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Leads nowhere else, and makes a path that nobody has used: the loader knows libraries by their paths, also when the
  /// descriptor was closed and its number is another file's. By the plain one it would give this library to whoever
  /// loads another in the same way.
  private static String detour() {
    String bits = Integer.toBinaryString(ThreadLocalRandom.current().nextInt());
    return bits.replace("0", "/").replace("1", "/.");
  }

  private static boolean write(int fd, MemorySegment all) throws Throwable {
    MethodHandle write = find("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    MemorySegment rest = all;
    while (rest.byteSize() > 0) {
      long written = (long) write.invokeExact(fd, rest, rest.byteSize());
      if (written <= 0) return false;
      rest = rest.asSlice(written);
    }
    return true;
  }

  private static MethodHandle find(String name, MemoryLayout result, MemoryLayout... arguments) {
    return Native.downcall(Native.systemSymbol(name), FunctionDescriptor.of(result, arguments));
  }
}
