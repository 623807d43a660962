// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.PathBytes;
import dev.couv.uv.Memory;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A command as the system's calls take it, in native memory that is freed when it is closed.
final class Launch implements AutoCloseable {
  final Command command;
  final SortedMap<Integer, Integer> sources;

  /// The file to run, a C string.
  final long program;

  /// The program's name and its arguments, an array of C strings.
  final long arguments;

  /// An array of C strings; 0 to inherit.
  final long environment;

  /// A C string; 0 to inherit.
  final long dir;

  Launch(Command command, byte[] program, SortedMap<Integer, Integer> sources) throws IOException {
    List<byte[]> all = command.environment(); // may fail: before anything is allocated
    this.command = command;
    this.sources = sources;
    long[] made = new long[4];
    try {
      made[0] = PathBytes.allocate(program);
      made[1] = Words.array(Words.bytes(command.words()));
      made[2] = all == null ? 0 : Words.array(all);
      made[3] = command.dir() == null ? 0 : PathBytes.allocate(command.dir());
    } catch (Throwable none) {
      LongStream.of(made).forEach(Memory::free);
      throw none;
    }
    this.program = made[0];
    this.arguments = made[1];
    this.environment = made[2];
    this.dir = made[3];
  }

  int uid() {
    return orZero(command.uid());
  }

  int gid() {
    return orZero(command.gid());
  }

  private static int orZero(@Nullable Integer number) {
    return number == null ? 0 : number;
  }

  @Override
  public void close() {
    Memory.free(program);
    Memory.free(arguments);
    Memory.free(environment);
    Memory.free(dir);
  }
}
