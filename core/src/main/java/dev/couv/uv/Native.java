// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The door to native code: the only class that uses restricted methods, so that the compiler
/// proves where the dangerous calls are.
///
/// ## Pointers are `long`
///
/// Every pointer of this package, in downcalls and in upcalls, is a raw address. A
/// `MemorySegment` per pointer would be an allocation per call and per callback, and one from a
/// confined arena could not be passed from another thread (`uv_async_send`). Neither buys safety
/// here: the memory belongs to libuv from the call to a callback, a span that no arena knows.
/// Lifetimes are the business of `dev.couv.loop`.
///
/// ## No libuv
///
/// The search for the library never throws. Its result is held here, and where it failed each call
/// throws a [UvLibraryError] with the same message. Were it thrown from a static initialiser, the
/// second use would say `NoClassDefFoundError` and nothing else.
@SuppressWarnings("restricted")
public final class Native {
  private static final Linker LINKER = Linker.nativeLinker();

  private Native() {}

  /// The search may call C itself, and so begins when this class and those that it needs are there: two threads that
  /// begin with different ones would else wait for each other.
  private static final class Search {
    static final Library RESULT = Library.find();
  }

  /// The version as `uv_version` packs it: 1.44.2 is `0x012c02`.
  public static int version() {
    return library().version();
  }

  /// The version's three numbers, such as `1.44.2`.
  public static String versionString() {
    return Library.text(version());
  }

  /// Where the library was loaded from; just its name where the system does not tell, or where it came with the program.
  public static String libraryPath() {
    Library.Found library = library();
    if (!library.hasFile()) return library.name();
    String file = fileOf(library.symbols().findOrThrow("uv_version"));
    if (file == null) return library.name();
    try {
      return Path.of(file).toRealPath().toString();
    } catch (IOException | InvalidPathException e) {
      return file;
    }
  }

  /// What to throw when something threw that cannot, such as a native call: a bug of ours. An error
  /// passes as it is.
  static AssertionError unexpected(Throwable thrown) {
    if (thrown instanceof Error error) throw error;
    return new AssertionError("unexpected: " + thrown, thrown);
  }

  /// Whether there is a libuv: asked by static initialisers, which must not throw.
  static boolean available() {
    return Search.RESULT instanceof Library.Found;
  }

  /// The library, which a caller needs now.
  private static Library.Found library() {
    return switch (Search.RESULT) {
      case Library.Found found -> found;
      case Library.Missing missing -> throw new UvLibraryError(missing.message());
    };
  }

  /// The address of a libuv function. Throws where there is none.
  static MemorySegment symbol(String function) {
    Library.Found library = library();
    return library
        .symbols()
        .find(function)
        .orElseThrow(
            () -> new UvLibraryError(library.name() + ", a libuv, has no function " + function));
  }

  /// The address of a function of the C library.
  static MemorySegment systemSymbol(String function) {
    return LINKER
        .defaultLookup()
        .find(function)
        .orElseThrow(() -> new AssertionError("the C library has no " + function));
  }

  /// Whether the C library has this function.
  public static boolean systemHas(String function) {
    return LINKER.defaultLookup().find(function).isPresent();
  }

  /// The version of the C library if it is glibc, such as `2.36`; empty if it is another.
  static String glibc() {
    Optional<MemorySegment> function = LINKER.defaultLookup().find("gnu_get_libc_version");
    if (function.isEmpty()) return "";
    try {
      MemorySegment text =
          (MemorySegment) downcall(function.get(), FunctionDescriptor.of(ADDRESS)).invokeExact();
      return text.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static MethodHandle downcall(
      MemorySegment function, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(function, descriptor, options);
  }

  /// The address of C code that calls `target`, which must not throw: that would end the VM. Lives
  /// as long as the process.
  static long upcall(MethodHandle target, FunctionDescriptor descriptor) {
    return LINKER.upcallStub(target, descriptor, Arena.global()).address();
  }

  /// One segment over the whole address space: what makes an address readable and writable.
  static MemorySegment allMemory() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /// The same memory, for as long as the arena is open.
  static MemorySegment within(MemorySegment memory, Arena arena) {
    return memory.reinterpret(arena, null);
  }

  static Optional<SymbolLookup> open(String name) {
    try {
      return Optional.of(SymbolLookup.libraryLookup(name, Arena.global()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  static Optional<SymbolLookup> open(Path file) {
    try {
      return Optional.of(SymbolLookup.libraryLookup(file, Arena.global()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /// What `uv_version` answers, 0 if there is no such function.
  static int versionOf(SymbolLookup symbols) {
    Optional<MemorySegment> function = symbols.find("uv_version");
    if (function.isEmpty()) return 0;
    try {
      return (int)
          (long) downcall(function.get(), Shape.OF_FEW).invokeExact(0L, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// The file that holds this function by `dladdr`, null where the system has no such call.
  private static @Nullable String fileOf(MemorySegment function) {
    Optional<MemorySegment> dladdr = LINKER.defaultLookup().find("dladdr");
    if (dladdr.isEmpty()) return null;
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle call = downcall(dladdr.get(), FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
      // Dl_info is four pointers, the first of them the file name.
      MemorySegment info = arena.allocate(ADDRESS, 4);
      if ((int) call.invokeExact(function, info) == 0) return null;
      MemorySegment name = info.get(ADDRESS, 0);
      return name.address() == 0 ? null : name.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }
}
