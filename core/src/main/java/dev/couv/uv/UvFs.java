// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// What the file system does with paths.
///
/// Each call works on one of libuv's threads and calls back, or, without a callback, at once on the
/// calling thread, where the loop may be 0; then it returns the result. A path is copied, unless there
/// is no callback. Every request owes [UvFsRequest#uv_fs_req_cleanup].
public final class UvFs {
  private static final MethodHandle OPEN =
      Binder.bind(
          "uv_fs_open",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, JAVA_INT, JAVA_INT, POINTER));
  private static final MethodHandle UNLINK =
      Binder.bind(
          "uv_fs_unlink", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle MKDIR =
      Binder.bind(
          "uv_fs_mkdir",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle MKDTEMP =
      Binder.bind(
          "uv_fs_mkdtemp", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle MKSTEMP =
      Binder.bind(
          "uv_fs_mkstemp", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle RMDIR =
      Binder.bind(
          "uv_fs_rmdir", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle STAT =
      Binder.bind(
          "uv_fs_stat", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle LSTAT =
      Binder.bind(
          "uv_fs_lstat", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle STATFS =
      Binder.bind(
          "uv_fs_statfs", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle RENAME =
      Binder.bind(
          "uv_fs_rename",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle ACCESS =
      Binder.bind(
          "uv_fs_access",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle CHMOD =
      Binder.bind(
          "uv_fs_chmod",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle LINK =
      Binder.bind(
          "uv_fs_link",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle SYMLINK =
      Binder.bind(
          "uv_fs_symlink",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle READLINK =
      Binder.bind(
          "uv_fs_readlink", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle REALPATH =
      Binder.bind(
          "uv_fs_realpath", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle CHOWN =
      Binder.bind(
          "uv_fs_chown",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, JAVA_INT, JAVA_INT, POINTER));
  private static final MethodHandle LCHOWN =
      Binder.bind(
          "uv_fs_lchown",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, JAVA_INT, JAVA_INT, POINTER));

  private UvFs() {}

  /// The result is a descriptor, the caller's to close. `flags` are the `O_` numbers of [SystemLayouts].
  public static int uv_fs_open(long loop, long req, long path, int flags, int mode, long cb) {
    try {
      return (int) OPEN.invokeExact(loop, req, path, flags, mode, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_unlink(long loop, long req, long path, long cb) {
    try {
      return (int) UNLINK.invokeExact(loop, req, path, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_mkdir(long loop, long req, long path, int mode, long cb) {
    try {
      return (int) MKDIR.invokeExact(loop, req, path, mode, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The path made is the request's, [UvFsRequest#uv_fs_get_path].
  public static int uv_fs_mkdtemp(long loop, long req, long tpl, long cb) {
    try {
      return (int) MKDTEMP.invokeExact(loop, req, tpl, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// As [#uv_fs_mkdtemp]; the result is a descriptor.
  public static int uv_fs_mkstemp(long loop, long req, long tpl, long cb) {
    try {
      return (int) MKSTEMP.invokeExact(loop, req, tpl, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_rmdir(long loop, long req, long path, long cb) {
    try {
      return (int) RMDIR.invokeExact(loop, req, path, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_stat(long loop, long req, long path, long cb) {
    try {
      return (int) STAT.invokeExact(loop, req, path, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_lstat(long loop, long req, long path, long cb) {
    try {
      return (int) LSTAT.invokeExact(loop, req, path, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// A `uv_statfs_t` is at [UvFsRequest#uv_fs_get_ptr].
  public static int uv_fs_statfs(long loop, long req, long path, long cb) {
    try {
      return (int) STATFS.invokeExact(loop, req, path, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_rename(long loop, long req, long path, long new_path, long cb) {
    try {
      return (int) RENAME.invokeExact(loop, req, path, new_path, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_access(long loop, long req, long path, int mode, long cb) {
    try {
      return (int) ACCESS.invokeExact(loop, req, path, mode, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_chmod(long loop, long req, long path, int mode, long cb) {
    try {
      return (int) CHMOD.invokeExact(loop, req, path, mode, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_link(long loop, long req, long path, long new_path, long cb) {
    try {
      return (int) LINK.invokeExact(loop, req, path, new_path, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_symlink(
      long loop, long req, long path, long new_path, int flags, long cb) {
    try {
      return (int) SYMLINK.invokeExact(loop, req, path, new_path, flags, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The target, a C string, is at [UvFsRequest#uv_fs_get_ptr].
  public static int uv_fs_readlink(long loop, long req, long path, long cb) {
    try {
      return (int) READLINK.invokeExact(loop, req, path, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// As [#uv_fs_readlink].
  public static int uv_fs_realpath(long loop, long req, long path, long cb) {
    try {
      return (int) REALPATH.invokeExact(loop, req, path, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// -1 leaves one as it is.
  public static int uv_fs_chown(long loop, long req, long path, int uid, int gid, long cb) {
    try {
      return (int) CHOWN.invokeExact(loop, req, path, uid, gid, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_lchown(long loop, long req, long path, int uid, int gid, long cb) {
    try {
      return (int) LCHOWN.invokeExact(loop, req, path, uid, gid, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
