// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SHORT;

/// Starting a process without copying the memory of this one, as the C library of Linux does it. Each
/// call answers 0 or an `errno`, not negated. Any thread.
public final class PosixSpawn {
  public static final int POSIX_SPAWN_SETSIGDEF = 0x04;
  public static final int POSIX_SPAWN_SETSIGMASK = 0x08;
  public static final int POSIX_SPAWN_SETSID = 0x80;

  /// For [#posix_spawn_file_actions_addopen].
  public static final int O_RDWR = 2;

  /// More than the opaque structs of attributes and file actions take.
  public static final long ROOM = 512;

  /// A set of signals, one bit for each.
  public static final long SIGSET_ROOM = 128;

  private static final Call SPAWN =
      Call.system("posix_spawn", INT, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER);
  private static final Call INIT = Call.system("posix_spawn_file_actions_init", INT, POINTER);
  private static final Call DESTROY = Call.system("posix_spawn_file_actions_destroy", INT, POINTER);
  private static final Call ADDDUP2 =
      Call.system("posix_spawn_file_actions_adddup2", INT, POINTER, INT, INT);
  private static final Call ADDOPEN =
      Call.system("posix_spawn_file_actions_addopen", INT, POINTER, INT, POINTER, INT, INT);
  private static final Call ADDCLOSE =
      Call.system("posix_spawn_file_actions_addclose", INT, POINTER, INT);
  private static final Call ADDCLOSEFROM_NP =
      Call.system("posix_spawn_file_actions_addclosefrom_np", INT, POINTER, INT);
  private static final Call ADDCHDIR_NP =
      Call.system("posix_spawn_file_actions_addchdir_np", INT, POINTER, POINTER);
  private static final Call ATTR_INIT = Call.system("posix_spawnattr_init", INT, POINTER);
  private static final Call ATTR_DESTROY = Call.system("posix_spawnattr_destroy", INT, POINTER);
  private static final Call ATTR_SETFLAGS =
      Call.system("posix_spawnattr_setflags", INT, POINTER, SHORT);
  private static final Call ATTR_SETSIGDEFAULT =
      Call.system("posix_spawnattr_setsigdefault", INT, POINTER, POINTER);
  private static final Call ATTR_SETSIGMASK =
      Call.system("posix_spawnattr_setsigmask", INT, POINTER, POINTER);

  private PosixSpawn() {}

  /// Whether the C library has all of it.
  public static boolean isAvailable() {
    return Platform.CURRENT == Platform.LINUX
        && Native.systemHas("posix_spawn_file_actions_addclosefrom_np")
        && Native.systemHas("posix_spawn_file_actions_addchdir_np")
        && Native.systemHas("pidfd_open");
  }

  /// Writes the new process's number, an `int`, to `pid`. Returns when the program runs, or could not be run.
  public static int posix_spawn(
      long pid, long path, long file_actions, long attrp, long argv, long envp) {
    return (int) SPAWN.call(pid, path, file_actions, attrp, argv, envp);
  }

  /// `file_actions` has [#ROOM].
  public static int posix_spawn_file_actions_init(long file_actions) {
    return (int) INIT.call(file_actions);
  }

  public static int posix_spawn_file_actions_destroy(long file_actions) {
    return (int) DESTROY.call(file_actions);
  }

  /// If both are the same, the child keeps it.
  public static int posix_spawn_file_actions_adddup2(long file_actions, int fd, int newfd) {
    return (int) ADDDUP2.call(file_actions, fd, newfd);
  }

  public static int posix_spawn_file_actions_addopen(
      long file_actions, int fd, long path, int oflag, int mode) {
    return (int) ADDOPEN.call(file_actions, fd, path, oflag, mode);
  }

  /// It need not be open.
  public static int posix_spawn_file_actions_addclose(long file_actions, int fd) {
    return (int) ADDCLOSE.call(file_actions, fd);
  }

  /// glibc 2.34.
  public static int posix_spawn_file_actions_addclosefrom_np(long file_actions, int from) {
    return (int) ADDCLOSEFROM_NP.call(file_actions, from);
  }

  /// glibc 2.29.
  public static int posix_spawn_file_actions_addchdir_np(long file_actions, long path) {
    return (int) ADDCHDIR_NP.call(file_actions, path);
  }

  /// `attr` has [#ROOM].
  public static int posix_spawnattr_init(long attr) {
    return (int) ATTR_INIT.call(attr);
  }

  public static int posix_spawnattr_destroy(long attr) {
    return (int) ATTR_DESTROY.call(attr);
  }

  public static int posix_spawnattr_setflags(long attr, short flags) {
    return (int) ATTR_SETFLAGS.call(attr, flags);
  }

  public static int posix_spawnattr_setsigdefault(long attr, long sigdefault) {
    return (int) ATTR_SETSIGDEFAULT.call(attr, sigdefault);
  }

  public static int posix_spawnattr_setsigmask(long attr, long sigmask) {
    return (int) ATTR_SETSIGMASK.call(attr, sigmask);
  }
}
