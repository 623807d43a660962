// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.PathBytes;
import dev.couv.uv.Memory;
import dev.couv.uv.UvFile;
import dev.couv.uv.UvFs;
import dev.couv.uv.UvFsRequest;
import dev.couv.world.FileFacts;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How libuv's calls become requests.
final class Calls {
  /// A call on a path, which is native memory during the call.
  @FunctionalInterface
  interface OnPath {
    int make(long loop, long request, long path, long callback);
  }

  /// A call on two paths.
  @FunctionalInterface
  interface OnTwoPaths {
    int make(long loop, long request, long path, long newPath, long callback);
  }

  /// A call that has all it needs.
  @FunctionalInterface
  interface Made {
    int make(long loop, long request, long callback);
  }

  /// What becomes of what a request brings.
  @FunctionalInterface
  interface Result<T extends @Nullable Object> {
    T read(long request, long result) throws IOException;
  }

  /// What undoes a call, if nobody else has.
  @FunctionalInterface
  interface Unmaking {
    void run(Path made) throws IOException;
  }

  @SuppressWarnings("NullAway") // nothing is null
  static final Result<@Nullable Void> NOTHING = (request, result) -> null;

  static final Result<Path> PATH_AT_POINTER =
      (request, result) -> PathBytes.read(UvFsRequest.uv_fs_get_ptr(request));

  private Calls() {}

  /// libuv copies the path, or is done with it when the call returns.
  static int withPath(Path path, OnPath call, long loop, long request, long callback) {
    long address = PathBytes.allocate(path);
    try {
      return call.make(loop, request, address, callback);
    } finally {
      Memory.free(address);
    }
  }

  static <T extends @Nullable Object> FileRequest<T> onPath(
      String call, Path path, OnPath made, Result<T> result) {
    PathBytes.check(path);
    return of(
        call,
        path,
        (loop, request, callback) -> withPath(path, made, loop, request, callback),
        result);
  }

  /// A call on a path that brings nothing.
  static FileRequest<@Nullable Void> onPath(String call, Path path, OnPath made) {
    return onPath(call, path, made, NOTHING);
  }

  static FileRequest<@Nullable Void> onTwo(String call, Path first, Path second, OnTwoPaths made) {
    PathBytes.check(second);
    return onPath(
            call,
            first,
            (loop, request, one, callback) ->
                withPath(
                    second,
                    (l, r, two, cb) -> made.make(l, r, one, two, cb),
                    loop,
                    request,
                    callback),
            NOTHING)
        .named(first, second);
  }

  /// Brings what was made; it is unmade if nobody takes it.
  static FileRequest<Path> making(FileRequest<?> request, Result<Path> made, Unmaking unmaking) {
    return new FileRequest<>(request.call, request.known()) {
      @Override
      int make(long loop, long address, long callback) {
        return request.make(loop, address, callback);
      }

      @Override
      Path read(long address, long result) throws IOException {
        return made.read(address, result);
      }

      @Override
      boolean makes() {
        return true;
      }

      @Override
      void release(Path unused) {
        unmake(unused, unmaking);
      }
    };
  }

  /// Does it if it can be done.
  static void unmake(Path made, Unmaking unmaking) {
    try {
      unmaking.run(made);
    } catch (IOException gone) {
      // Somebody else has removed it, uses it, or keeps us from doing so: then it is no longer
      // ours.
    }
  }

  static <T extends @Nullable Object> FileRequest<T> of(
      String call, Object subject, Made made, Result<T> result) {
    return onFiles(call, subject, made, result, null, null);
  }

  static <T extends @Nullable Object> FileRequest<T> onFiles(
      String call,
      Object subject,
      Made made,
      Result<T> result,
      @Nullable Descriptor file,
      @Nullable Descriptor second) {
    return new FileRequest<>(call, subject, file, second) {
      @Override
      int make(long loop, long request, long callback) {
        return made.make(loop, request, callback);
      }

      @Override
      T read(long request, long value) throws IOException {
        return result.read(request, value);
      }
    };
  }

  static <T> FileRequest<T> lstat(Path path, FileFacts<T> facts) {
    return onPath("lstat", path, UvFs::uv_fs_lstat, info(facts));
  }

  static FileRequest<@Nullable Void> unlink(Path path) {
    return onPath("unlink", path, UvFs::uv_fs_unlink);
  }

  /// Removes that file, unless there is another at the path by now.
  static void unlinkSame(Path path, Stat.Identity file) throws IOException {
    if (lstat(path, Stat.IDENTITY).now().equals(file)) {
      unlink(path).now();
    }
  }

  static <T> FileRequest<T> fstat(Descriptor file, FileFacts<T> facts) {
    return onFiles("fstat", file, statOf(file.number), info(facts), file, null);
  }

  static Made statOf(int number) {
    return (loop, request, callback) -> UvFile.uv_fs_fstat(loop, request, number, callback);
  }

  static <T> Result<T> info(FileFacts<T> facts) {
    return (request, result) -> Stat.read(UvFsRequest.uv_fs_get_statbuf(request), facts);
  }
}
