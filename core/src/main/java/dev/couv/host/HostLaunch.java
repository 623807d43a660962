// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixSpawn;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvPipe;
import dev.couv.world.ExitWatch;
import dev.couv.world.Launch;
import dev.couv.world.Program;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A program as the system's calls take it: its texts in native memory, and where each of its descriptors comes
/// from. Owns the memory and the child's own ends until it is closed.
final class HostLaunch implements Launch {
  /// Stands for `/dev/null`.
  static final int NOTHING = -1;

  private static final int STANDARD = 3;
  private static final boolean HAS_POSIX_SPAWN = PosixSpawn.isAvailable();

  final Program program;

  /// The file to run, a C string.
  final long file;

  /// The program's name and its arguments, an array of C strings.
  final long arguments;

  /// An array of C strings; 0 to inherit.
  final long environment;

  /// A C string; 0 to inherit.
  final long dir;

  /// By the child's descriptor: the descriptor here, or [#NOTHING].
  final SortedMap<Integer, Integer> sources = new TreeMap<>();

  private final EventLoop loop;
  private final Spawner spawner;
  private final List<Integer> childEnds = new ArrayList<>();
  private final List<Long> blocks = new ArrayList<>();

  private HostLaunch(EventLoop loop, Program program, Spawner spawner, byte[] found)
      throws IOException {
    // May fail: before anything is allocated.
    List<byte[]> all = program.inheritsEnv() ? null : HostEnvironment.INSTANCE.of(program);
    this.loop = loop;
    this.program = program;
    this.spawner = spawner;
    try {
      file = own(PathBytes.allocate(found));
      arguments = own(array(bytes(program.words())));
      environment = all == null ? 0 : own(array(all));
      dir = program.dir() == null ? 0 : own(PathBytes.allocate(program.dir()));
    } catch (Throwable none) {
      close();
      throw none;
    }
  }

  private long own(long block) {
    blocks.add(block);
    return block;
  }

  static Spawner spawnerOf(Program program) {
    if (!HAS_POSIX_SPAWN || !PidfdWatch.isAllowed()) {
      return Spawner.LIBUV_ONLY;
    }
    return program.uid() == null && program.gid() == null ? Spawner.POSIX : Spawner.LIBUV;
  }

  static HostLaunch prepare(EventLoop loop, Program program) throws IOException {
    return prepare(loop, program, spawnerOf(program));
  }

  static HostLaunch prepare(EventLoop loop, Program program, Spawner spawner) throws IOException {
    HostExitWatch.reap();
    return new HostLaunch(
        loop, program, spawner, ProgramSearch.find(program.name(), program.dir()));
  }

  // ---- descriptors

  @Override
  public void inherit(int descriptor) {
    sources.put(descriptor, isMissing(descriptor) ? NOTHING : descriptor);
  }

  @Override
  public void discard(int descriptor) {
    sources.put(descriptor, NOTHING);
  }

  @Override
  public void give(int descriptor, int owned) {
    sources.put(descriptor, owned);
  }

  @Override
  public void giveByNumber(int descriptor, int number) throws IOException {
    if (isMissing(number)) {
      throw Failures.of(UvErrors.code("EBADF"), "give", "fd " + number + " to " + program.name());
    }
    sources.put(descriptor, number);
  }

  /// What the VM has put in the place of a standard stream that is not there is for nobody.
  private static boolean isMissing(int descriptor) {
    return descriptor < STANDARD && DescriptorFlags.isMissing(descriptor);
  }

  @Override
  public StreamHandle pipe(int descriptor, String name) throws IOException {
    long ends = loop.scratch().argumentsAddress();
    Failures.check(UvPipe.uv_pipe(ends, 0, 0), "make a pipe for", program.name());
    int toRead = Memory.getInt(ends);
    int toWrite = Memory.getInt(ends + Integer.BYTES);
    childHas(descriptor, descriptor == 0 ? toRead : toWrite);
    return HostLocal.adopt(loop, descriptor == 0 ? toWrite : toRead, name, name);
  }

  @Override
  public int socket(int descriptor) throws IOException {
    long ends = loop.scratch().argumentsAddress();
    Failures.check(
        UvPipe.uv_socketpair(Layouts.SOCK_STREAM, 0, ends, 0, 0),
        "make a socket for",
        program.name());
    int ours = Memory.getInt(ends);
    childHas(descriptor, Memory.getInt(ends + Layouts.UV_OS_SOCK_SIZE));
    return ours;
  }

  private void childHas(int descriptor, int end) {
    sources.put(descriptor, end);
    childEnds.add(end);
  }

  // ---- the start

  @Override
  public ExitWatch start(ExitWatch.Listener listener) throws IOException {
    return switch (spawner) {
      case POSIX, LIBUV -> PidfdWatch.open(loop, program, spawn(), listener);
      case LIBUV_ONLY -> ProcessWatch.spawn(loop, this, listener);
    };
  }

  /// Makes sure that there will be a descriptor to wait for it: a child that has begun its work must not
  /// be killed for the lack of one.
  private int spawn() throws IOException {
    int reserved = PidfdWatch.reserve(program);
    try {
      return spawner == Spawner.POSIX
          ? PosixSpawner.spawn(this)
          : ProcessWatch.spawnUnwatched(loop, this);
    } finally {
      Posix.close(reserved);
    }
  }

  @Override
  public void close() {
    childEnds.forEach(Posix::close);
    blocks.forEach(Memory::free);
  }

  // ---- texts

  static List<byte[]> bytes(List<String> words) {
    return words.stream().map(word -> word.getBytes(UTF_8)).toList();
  }

  /// A NULL-terminated array of C strings, in one block that the caller frees.
  static long array(List<byte[]> words) {
    long size = (words.size() + 1L) * Long.BYTES;
    for (byte[] word : words) {
      size += word.length + 1;
    }
    long block = NativeMemory.check(Memory.calloc(1, size));
    long at = block;
    long text = block + (words.size() + 1L) * Long.BYTES;
    for (byte[] word : words) {
      Memory.putLong(at, text);
      Memory.copy(word, 0, text, word.length);
      at += Long.BYTES;
      text += word.length + 1;
    }
    return block;
  }
}
