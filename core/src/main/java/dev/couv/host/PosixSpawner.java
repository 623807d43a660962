// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixSpawn;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Starts a process by `posix_spawn`: the child borrows this process's memory until it runs its own
/// program, so the cost does not grow with the heap. All that has to be done in between is told in
/// advance.
///
/// The child has every signal at its default and none blocked, whatever the VM has done to its own.
final class PosixSpawner {
  private static final String NULL_DEVICE = "/dev/null";
  private static final String SHELL = "/bin/sh";

  /// The same on every system.
  private static final int ENOEXEC = 8;

  private final HostLaunch launch;
  private final long actions;
  private final long attributes;
  private final long nullDevice;

  private PosixSpawner(HostLaunch launch, long memory, long nullDevice) {
    this.launch = launch;
    actions = memory;
    attributes = memory + PosixSpawn.ROOM;
    this.nullDevice = nullDevice;
  }

  /// The number of the new process.
  static int spawn(HostLaunch launch) throws IOException {
    return Answers.room(
        3 * PosixSpawn.ROOM,
        at ->
            Answers.given(
                NULL_DEVICE,
                device -> new PosixSpawner(launch, at, device).spawn(at + 2 * PosixSpawn.ROOM)));
  }

  private int spawn(long room) throws IOException {
    check(PosixSpawn.posix_spawn_file_actions_init(actions));
    try {
      check(PosixSpawn.posix_spawnattr_init(attributes));
      try {
        addActions();
        setAttributes(room);
        int errno = spawn(room, launch.file, launch.arguments);
        check(errno == ENOEXEC ? spawnScript(room) : errno);
        return Memory.getInt(room);
      } finally {
        PosixSpawn.posix_spawnattr_destroy(attributes);
      }
    } finally {
      PosixSpawn.posix_spawn_file_actions_destroy(actions);
    }
  }

  private int spawn(long room, long program, long arguments) {
    long environment = launch.environment == 0 ? Posix.environ() : launch.environment;
    return PosixSpawn.posix_spawn(room, program, actions, attributes, arguments, environment);
  }

  /// A script that does not say whose it is is the shell's, as for `execvp`, libuv and the JDK.
  private int spawnScript(long room) {
    List<byte[]> words = new ArrayList<>(HostLaunch.bytes(launch.program.words()));
    words.set(0, PathBytes.bytesAt(launch.file));
    words.addAll(0, HostLaunch.bytes(List.of(SHELL)));
    long arguments = HostLaunch.array(words);
    try {
      return Answers.given(SHELL, shell -> spawn(room, shell, arguments));
    } finally {
      Memory.free(arguments);
    }
  }

  private void setAttributes(long room) throws IOException {
    int flags =
        PosixSpawn.POSIX_SPAWN_SETSIGDEF
            | PosixSpawn.POSIX_SPAWN_SETSIGMASK
            | (launch.program.detached() ? PosixSpawn.POSIX_SPAWN_SETSID : 0);
    check(PosixSpawn.posix_spawnattr_setflags(attributes, (short) flags));
    check(PosixSpawn.posix_spawnattr_setsigmask(attributes, room)); // empty
    // Not by sigfillset, which leaves out the signals of the C library's own: those the child would
    // ignore.
    for (int i = 0; i < PosixSpawn.SIGSET_ROOM; i++) {
      Memory.putByte(room + i, (byte) -1);
    }
    check(PosixSpawn.posix_spawnattr_setsigdefault(attributes, room));
  }

  /// The child's descriptors are set one after the other. So that none is overwritten before it was
  /// copied, those that lie where others will come are first moved out of the way.
  private void addActions() throws IOException {
    int last = launch.sources.lastKey();
    int spare = last + 1;
    Set<Integer> used = new HashSet<>(launch.sources.values());
    Map<Integer, Integer> moved = new HashMap<>();
    for (Map.Entry<Integer, Integer> each : launch.sources.entrySet()) {
      int source = each.getValue();
      boolean inTheWay = source >= 0 && source <= last && source != each.getKey();
      if (inTheWay && !moved.containsKey(source)) {
        while (used.contains(spare)) {
          spare++;
        }
        check(PosixSpawn.posix_spawn_file_actions_adddup2(actions, source, spare));
        moved.put(source, spare++);
      }
    }
    for (int descriptor = 0; descriptor <= last; descriptor++) {
      Integer source = launch.sources.get(descriptor);
      if (source == null) {
        check(PosixSpawn.posix_spawn_file_actions_addclose(actions, descriptor));
      } else if (source == HostLaunch.NOTHING) {
        check(
            PosixSpawn.posix_spawn_file_actions_addopen(
                actions, descriptor, nullDevice, PosixSpawn.O_RDWR, 0));
      } else {
        int from = source == descriptor ? source : moved.getOrDefault(source, source);
        check(PosixSpawn.posix_spawn_file_actions_adddup2(actions, from, descriptor));
      }
    }
    check(PosixSpawn.posix_spawn_file_actions_addclosefrom_np(actions, last + 1));
    if (launch.dir != 0) {
      check(PosixSpawn.posix_spawn_file_actions_addchdir_np(actions, launch.dir));
    }
  }

  private void check(int errno) throws IOException {
    if (errno != 0) {
      int code = UvErrors.uv_translate_sys_error(errno);
      throw Failures.ofFile(code, "start", launch.program.name());
    }
  }
}
