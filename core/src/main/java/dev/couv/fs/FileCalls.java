// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.NativeMemory;
import dev.couv.loop.PathBytes;
import dev.couv.uv.FileLayouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvDir;
import dev.couv.uv.UvFile;
import dev.couv.uv.UvFs;
import dev.couv.uv.UvFsRequest;
import dev.couv.uv.UvRequest;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// libuv's calls on files as requests, one method per call. What they bring that must be released is
/// released here, if nobody takes it.
final class FileCalls {
  private FileCalls() {}

  /// A call on a path, which is native memory during the call.
  @FunctionalInterface
  private interface PathCall {
    int make(long loop, long request, long path, long callback);
  }

  @FunctionalInterface
  private interface TwoPathsCall {
    int make(long loop, long request, long path, long newPath, long callback);
  }

  @FunctionalInterface
  private interface FileCall {
    int make(long loop, long request, long callback);
  }

  @FunctionalInterface
  private interface Result<T extends @Nullable Object> {
    T read(long request, long result);
  }

  @SuppressWarnings("NullAway") // nothing is null
  private static final Result<@Nullable Void> NOTHING = (request, result) -> null;

  private static final Result<FileInfo> INFO =
      (request, result) -> FileInfo.read(UvFsRequest.uv_fs_get_statbuf(request));
  private static final Result<Path> PATH_AT_POINTER =
      (request, result) -> PathBytes.read(UvFsRequest.uv_fs_get_ptr(request));

  // ---- on paths

  private static final int MADE = FileLayouts.UV_FS_O_CREAT | FileLayouts.UV_FS_O_EXCL;

  /// Brings a descriptor; closed again if nobody takes it. A file that this made for certain, because the
  /// flags say that it must be new, is removed then.
  static FileRequest<Integer> open(Path path, int flags, int mode) {
    PathBytes.check(path);
    return new FileRequest<>("open", path.toString()) {
      @Override
      int make(long loop, long request, long callback) {
        return withPath(
            path, address -> UvFs.uv_fs_open(loop, request, address, flags, mode, callback));
      }

      @Override
      Integer read(long request, long result) {
        return (int) result;
      }

      @Override
      boolean makes() {
        return (flags & MADE) == MADE;
      }

      @Override
      void release(Integer unused) {
        try {
          if (makes()) {
            unlinkSame(path, fstat(unused, path.toString()).now());
          }
        } catch (IOException gone) {
          // Somebody else removed it, or keeps us from doing so: it is no longer ours.
        } finally {
          closeNow(unused);
        }
      }
    };
  }

  /// Removes that file, unless there is another at the path by now.
  static void unlinkSame(Path path, FileInfo file) throws IOException {
    if (lstat(path).now().isSameFile(file)) {
      unlink(path).now();
    }
  }

  static FileRequest<FileInfo> stat(Path path) {
    return onPath("stat", path, UvFs::uv_fs_stat, INFO);
  }

  static FileRequest<FileInfo> lstat(Path path) {
    return onPath("lstat", path, UvFs::uv_fs_lstat, INFO);
  }

  static FileRequest<FileSystemInfo> statfs(Path path) {
    return onPath(
        "statfs",
        path,
        UvFs::uv_fs_statfs,
        (request, result) -> FileSystemInfo.read(UvFsRequest.uv_fs_get_ptr(request)));
  }

  static FileRequest<@Nullable Void> access(Path path, int mode) {
    return onPath(
        "access",
        path,
        (loop, request, address, callback) ->
            UvFs.uv_fs_access(loop, request, address, mode, callback),
        NOTHING);
  }

  static FileRequest<@Nullable Void> mkdir(Path path, int mode) {
    return onPath(
        "mkdir",
        path,
        (loop, request, address, callback) ->
            UvFs.uv_fs_mkdir(loop, request, address, mode, callback),
        NOTHING);
  }

  /// Likewise; the directory is removed again if nobody is told of it.
  static FileRequest<Path> mkdirOwn(Path path, int mode) {
    return making(path, mkdir(path, mode), () -> rmdir(path).now());
  }

  static FileRequest<@Nullable Void> rmdir(Path path) {
    return onPath("rmdir", path, UvFs::uv_fs_rmdir, NOTHING);
  }

  static FileRequest<@Nullable Void> unlink(Path path) {
    return onPath("unlink", path, UvFs::uv_fs_unlink, NOTHING);
  }

  static FileRequest<@Nullable Void> chmod(Path path, int mode) {
    return onPath(
        "chmod",
        path,
        (loop, request, address, callback) ->
            UvFs.uv_fs_chmod(loop, request, address, mode, callback),
        NOTHING);
  }

  static FileRequest<@Nullable Void> chown(Path path, int uid, int gid) {
    return onPath(
        "chown",
        path,
        (loop, request, address, callback) ->
            UvFs.uv_fs_chown(loop, request, address, uid, gid, callback),
        NOTHING);
  }

  static FileRequest<@Nullable Void> lchown(Path path, int uid, int gid) {
    return onPath(
        "lchown",
        path,
        (loop, request, address, callback) ->
            UvFs.uv_fs_lchown(loop, request, address, uid, gid, callback),
        NOTHING);
  }

  static FileRequest<Path> readlink(Path path) {
    return onPath("readlink", path, UvFs::uv_fs_readlink, PATH_AT_POINTER);
  }

  static FileRequest<Path> realpath(Path path) {
    return onPath("realpath", path, UvFs::uv_fs_realpath, PATH_AT_POINTER);
  }

  /// Brings the path; the directory is removed again if nobody takes it.
  static FileRequest<Path> mkdtemp(Path template) {
    PathBytes.check(template);
    return new FileRequest<>("mkdtemp", template.toString()) {
      @Override
      int make(long loop, long request, long callback) {
        return withPath(template, address -> UvFs.uv_fs_mkdtemp(loop, request, address, callback));
      }

      @Override
      Path read(long request, long result) {
        return PathBytes.read(UvFsRequest.uv_fs_get_path(request));
      }

      @Override
      boolean makes() {
        return true;
      }

      @Override
      void release(Path unused) {
        try {
          rmdir(unused).now();
        } catch (IOException inUse) {
          // Somebody has put something into it: then it is no longer ours.
        }
      }
    };
  }

  /// A temporary file, open.
  record Temporary(int descriptor, Path path) {}

  /// Brings a descriptor; closed again if nobody takes it, and the file removed.
  static FileRequest<Temporary> mkstemp(Path template) {
    PathBytes.check(template);
    return new FileRequest<>("mkstemp", template.toString()) {
      @Override
      int make(long loop, long request, long callback) {
        return withPath(template, address -> UvFs.uv_fs_mkstemp(loop, request, address, callback));
      }

      @Override
      Temporary read(long request, long result) {
        return new Temporary((int) result, PathBytes.read(UvFsRequest.uv_fs_get_path(request)));
      }

      @Override
      boolean makes() {
        return true;
      }

      @Override
      void release(Temporary unused) {
        closeNow(unused.descriptor());
        try {
          unlink(unused.path()).now();
        } catch (IOException gone) {
          // Somebody else removed it: that is what was wanted.
        }
      }
    };
  }

  // ---- on two paths

  static FileRequest<@Nullable Void> rename(Path from, Path to) {
    return onTwo("rename", from, to, UvFs::uv_fs_rename);
  }

  /// The name is removed again if nobody is told of it.
  static FileRequest<Path> link(Path existing, Path made) {
    return making(
            made,
            onTwo("link", existing, made, UvFs::uv_fs_link),
            () -> unlinkSame(made, lstat(existing).now()))
        .named(existing, made);
  }

  /// The target is text: it need not be there. The link is removed again if nobody is told of it.
  static FileRequest<Path> symlink(Path target, Path made) {
    return making(
            made,
            onTwo(
                "symlink",
                target,
                made,
                (loop, request, first, second, callback) ->
                    UvFs.uv_fs_symlink(loop, request, first, second, 0, callback)),
            () -> {
              if (readlink(made).now().equals(target)) {
                unlink(made).now();
              }
            })
        .named(target, made);
  }

  // ---- on open files

  static FileRequest<FileInfo> fstat(int file, String name) {
    return onFile("fstat", name, (l, r, cb) -> UvFile.uv_fs_fstat(l, r, file, cb), INFO);
  }

  static FileRequest<@Nullable Void> fsync(int file, String name) {
    return onFile("fsync", name, (l, r, cb) -> UvFile.uv_fs_fsync(l, r, file, cb), NOTHING);
  }

  static FileRequest<@Nullable Void> fdatasync(int file, String name) {
    return onFile("fdatasync", name, (l, r, cb) -> UvFile.uv_fs_fdatasync(l, r, file, cb), NOTHING);
  }

  static FileRequest<@Nullable Void> ftruncate(int file, String name, long size) {
    return onFile(
        "ftruncate", name, (l, r, cb) -> UvFile.uv_fs_ftruncate(l, r, file, size, cb), NOTHING);
  }

  static FileRequest<@Nullable Void> fchmod(int file, String name, int mode) {
    return onFile("fchmod", name, (l, r, cb) -> UvFile.uv_fs_fchmod(l, r, file, mode, cb), NOTHING);
  }

  static FileRequest<@Nullable Void> fchown(int file, String name, int uid, int gid) {
    return onFile(
        "fchown", name, (l, r, cb) -> UvFile.uv_fs_fchown(l, r, file, uid, gid, cb), NOTHING);
  }

  /// Brings how many bytes went from the one to the other.
  static FileRequest<Long> sendfile(int to, int from, String name, long offset, long length) {
    return onFile(
        "sendfile",
        name,
        (l, r, cb) -> UvFile.uv_fs_sendfile(l, r, to, from, offset, length, cb),
        (request, result) -> result);
  }

  /// Closes it on the calling thread. Whatever the system answers, the descriptor is gone.
  static int closeNow(int file) {
    long request = NativeMemory.allocate(UvRequest.uv_req_size(UvRequest.UV_FS));
    try {
      int code = UvFile.uv_fs_close(0, request, file, 0);
      UvFsRequest.uv_fs_req_cleanup(request);
      return code;
    } finally {
      NativeMemory.free(request, UvRequest.uv_req_size(UvRequest.UV_FS));
    }
  }

  // ---- directories

  /// Brings the address of a `uv_dir_t`; closed again if nobody takes it.
  static FileRequest<Long> opendir(Path path) {
    PathBytes.check(path);
    return new FileRequest<>("opendir", path.toString()) {
      @Override
      int make(long loop, long request, long callback) {
        return withPath(path, address -> UvDir.uv_fs_opendir(loop, request, address, callback));
      }

      @Override
      Long read(long request, long result) {
        return UvFsRequest.uv_fs_get_ptr(request);
      }

      @Override
      void release(Long unused) {
        closedirNow(unused);
      }
    };
  }

  /// Likewise. A callback may be what calls it, so nothing is thrown.
  static void closedirNow(long directory) {
    long request = NativeMemory.allocate(UvRequest.uv_req_size(UvRequest.UV_FS));
    try {
      UvDir.uv_fs_closedir(0, request, directory, 0);
      UvFsRequest.uv_fs_req_cleanup(request);
    } finally {
      NativeMemory.free(request, UvRequest.uv_req_size(UvRequest.UV_FS));
    }
  }

  // ---- how they are made

  @FunctionalInterface
  private interface WithPath {
    int call(long address);
  }

  /// libuv copies the path, or is done with it when the call returns.
  private static int withPath(Path path, WithPath call) {
    long address = PathBytes.allocate(path);
    try {
      return call.call(address);
    } finally {
      Memory.free(address);
    }
  }

  private static <T extends @Nullable Object> FileRequest<T> onPath(
      String call, Path path, PathCall made, Result<T> result) {
    PathBytes.check(path);
    return onFile(
        call,
        path.toString(),
        (loop, request, callback) ->
            withPath(path, address -> made.make(loop, request, address, callback)),
        result);
  }

  private static FileRequest<@Nullable Void> onTwo(
      String call, Path first, Path second, TwoPathsCall made) {
    PathBytes.check(first);
    PathBytes.check(second);
    return onFile(
            call,
            first.toString(),
            (loop, request, callback) ->
                withPath(
                    first,
                    one -> withPath(second, two -> made.make(loop, request, one, two, callback))),
            NOTHING)
        .named(first, second);
  }

  @FunctionalInterface
  private interface Unmaking {
    void run() throws IOException;
  }

  /// Brings what was made; it is unmade if nobody takes it.
  private static FileRequest<Path> making(Path made, FileRequest<?> request, Unmaking unmaking) {
    return new FileRequest<>(request.call(), made.toString()) {
      @Override
      int make(long loop, long address, long callback) {
        return request.make(loop, address, callback);
      }

      @Override
      Path read(long address, long result) {
        return made;
      }

      @Override
      boolean makes() {
        return true;
      }

      @Override
      void release(Path unused) {
        try {
          unmaking.run();
        } catch (IOException inUse) {
          // Somebody else has removed it, or uses it: then it is no longer ours.
        }
      }
    };
  }

  private static <T extends @Nullable Object> FileRequest<T> onFile(
      String call, String name, FileCall made, Result<T> result) {
    return new FileRequest<>(call, name) {
      @Override
      int make(long loop, long request, long callback) {
        return made.make(loop, request, callback);
      }

      @Override
      T read(long request, long value) {
        return result.read(request, value);
      }
    };
  }
}
