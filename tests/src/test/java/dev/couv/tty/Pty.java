// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.couv.Needed;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;

/// A pseudo-terminal: this is the side of the one who types and looks.
final class Pty implements AutoCloseable {
  private static final int O_RDWR = 2;
  private static final int O_NOCTTY = 0x100;
  private static final int O_CLOEXEC = 0x80000;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);
  private static final int ROOM = 4096;

  private final int master;
  private final int slave;
  private final String path;

  private final StringBuilder shown = new StringBuilder();
  private boolean open = true;

  Pty() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      master =
          check((int) call("posix_openpt", JAVA_INT).invokeExact(O_RDWR | O_NOCTTY | O_CLOEXEC));
      check((int) call("grantpt", JAVA_INT).invokeExact(master));
      check((int) call("unlockpt", JAVA_INT).invokeExact(master));
      MemorySegment name = arena.allocate(100);
      check((int) call("ptsname_r", JAVA_INT, ADDRESS, JAVA_LONG).invokeExact(master, name, 100L));
      path = name.getString(0);
      slave =
          check(
              (int)
                  call("open", ADDRESS, JAVA_INT).invokeExact(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle call(String name, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments));
  }

  private static int check(int answer) throws IOException {
    if (answer < 0) {
      throw new IOException("no pseudo-terminal");
    }
    return answer;
  }

  /// The terminal that a program sees.
  String path() {
    return path;
  }

  /// A descriptor of the terminal.
  int slave() {
    return slave;
  }

  /// The terminal, opened in the loop of the calling coroutine.
  Terminal terminal() throws IOException {
    return Terminal.open(slave, "pty");
  }

  /// A descriptor of the side of the one who types.
  int master() {
    return master;
  }

  void type(String keys) throws IOException {
    byte[] bytes = keys.getBytes(ISO_8859_1);
    long at = Memory.malloc(bytes.length);
    try {
      for (int i = 0; i < bytes.length; i++) {
        Memory.view(at, bytes.length).put(i, bytes[i]);
      }
      check((int) PosixBytes.write(master, at, bytes.length));
    } finally {
      Memory.free(at);
    }
  }

  /// Waits until that is shown, and returns all that was shown up to it.
  String expect(String text) throws IOException {
    long deadline = System.nanoTime() + PATIENCE;
    while (shown.indexOf(text) < 0) {
      if (!look() && System.nanoTime() > deadline) {
        throw new IOException("no \"" + text + "\" in: " + shown);
      }
    }
    int end = shown.indexOf(text) + text.length();
    String result = shown.substring(0, end);
    shown.delete(0, end);
    return result;
  }

  /// All that is shown by now and was not expected.
  String rest() throws IOException {
    while (look()) {}
    String result = shown.toString();
    shown.setLength(0);
    return result;
  }

  private boolean look() throws IOException {
    if (!PosixBytes.isReady(master, PosixBytes.POLLIN)) {
      Thread.onSpinWait();
      return false;
    }
    long at = Memory.malloc(ROOM);
    try {
      long count = PosixBytes.read(master, at, ROOM);
      if (count <= 0) {
        throw new IOException("the terminal is closed after: " + shown);
      }
      byte[] bytes = new byte[(int) count];
      Memory.view(at, ROOM).get(bytes);
      shown.append(new String(bytes, ISO_8859_1));
      return true;
    } finally {
      Memory.free(at);
    }
  }

  /// What `stty` answers.
  String stty(String... arguments) throws Exception {
    var command = new java.util.ArrayList<>(java.util.List.of(Needed.program("stty"), "-F", path));
    command.addAll(java.util.List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String answer = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
    if (process.waitFor() != 0) {
      throw new IOException("stty, of coreutils: " + answer);
    }
    return answer.strip();
  }

  /// The terminal goes away, as when its window is closed.
  void hangUp() {
    if (open) {
      open = false;
      Posix.close(master);
    }
  }

  @Override
  public void close() {
    hangUp();
    Posix.close(slave);
  }
}
