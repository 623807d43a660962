// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

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

  private static final MethodHandle POSIX_SPAWN =
      Binder.bindSystem(
          "posix_spawn",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_INIT =
      Binder.bindSystem("posix_spawn_file_actions_init", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_DESTROY =
      Binder.bindSystem(
          "posix_spawn_file_actions_destroy", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_ADDDUP2 =
      Binder.bindSystem(
          "posix_spawn_file_actions_adddup2",
          FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT, JAVA_INT));
  private static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_ADDOPEN =
      Binder.bindSystem(
          "posix_spawn_file_actions_addopen",
          FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT, POINTER, JAVA_INT, JAVA_INT));
  private static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_ADDCLOSE =
      Binder.bindSystem(
          "posix_spawn_file_actions_addclose", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_ADDCLOSEFROM_NP =
      Binder.bindSystem(
          "posix_spawn_file_actions_addclosefrom_np",
          FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle POSIX_SPAWN_FILE_ACTIONS_ADDCHDIR_NP =
      Binder.bindSystem(
          "posix_spawn_file_actions_addchdir_np",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle POSIX_SPAWNATTR_INIT =
      Binder.bindSystem("posix_spawnattr_init", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle POSIX_SPAWNATTR_DESTROY =
      Binder.bindSystem("posix_spawnattr_destroy", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle POSIX_SPAWNATTR_SETFLAGS =
      Binder.bindSystem(
          "posix_spawnattr_setflags", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_SHORT));
  private static final MethodHandle POSIX_SPAWNATTR_SETSIGDEFAULT =
      Binder.bindSystem(
          "posix_spawnattr_setsigdefault", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle POSIX_SPAWNATTR_SETSIGMASK =
      Binder.bindSystem(
          "posix_spawnattr_setsigmask", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));

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
    try {
      return (int) POSIX_SPAWN.invokeExact(pid, path, file_actions, attrp, argv, envp);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `file_actions` has [#ROOM].
  public static int posix_spawn_file_actions_init(long file_actions) {
    try {
      return (int) POSIX_SPAWN_FILE_ACTIONS_INIT.invokeExact(file_actions);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int posix_spawn_file_actions_destroy(long file_actions) {
    try {
      return (int) POSIX_SPAWN_FILE_ACTIONS_DESTROY.invokeExact(file_actions);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// If both are the same, the child keeps it.
  public static int posix_spawn_file_actions_adddup2(long file_actions, int fd, int newfd) {
    try {
      return (int) POSIX_SPAWN_FILE_ACTIONS_ADDDUP2.invokeExact(file_actions, fd, newfd);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int posix_spawn_file_actions_addopen(
      long file_actions, int fd, long path, int oflag, int mode) {
    try {
      return (int)
          POSIX_SPAWN_FILE_ACTIONS_ADDOPEN.invokeExact(file_actions, fd, path, oflag, mode);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// It need not be open.
  public static int posix_spawn_file_actions_addclose(long file_actions, int fd) {
    try {
      return (int) POSIX_SPAWN_FILE_ACTIONS_ADDCLOSE.invokeExact(file_actions, fd);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// glibc 2.34.
  public static int posix_spawn_file_actions_addclosefrom_np(long file_actions, int from) {
    try {
      return (int) POSIX_SPAWN_FILE_ACTIONS_ADDCLOSEFROM_NP.invokeExact(file_actions, from);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// glibc 2.29.
  public static int posix_spawn_file_actions_addchdir_np(long file_actions, long path) {
    try {
      return (int) POSIX_SPAWN_FILE_ACTIONS_ADDCHDIR_NP.invokeExact(file_actions, path);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `attr` has [#ROOM].
  public static int posix_spawnattr_init(long attr) {
    try {
      return (int) POSIX_SPAWNATTR_INIT.invokeExact(attr);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int posix_spawnattr_destroy(long attr) {
    try {
      return (int) POSIX_SPAWNATTR_DESTROY.invokeExact(attr);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int posix_spawnattr_setflags(long attr, short flags) {
    try {
      return (int) POSIX_SPAWNATTR_SETFLAGS.invokeExact(attr, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int posix_spawnattr_setsigdefault(long attr, long sigdefault) {
    try {
      return (int) POSIX_SPAWNATTR_SETSIGDEFAULT.invokeExact(attr, sigdefault);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int posix_spawnattr_setsigmask(long attr, long sigmask) {
    try {
      return (int) POSIX_SPAWNATTR_SETSIGMASK.invokeExact(attr, sigmask);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
