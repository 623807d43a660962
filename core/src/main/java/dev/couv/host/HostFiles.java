// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.PathBytes;
import dev.couv.uv.FileLayouts;
import dev.couv.uv.UvFs;
import dev.couv.uv.UvFsRequest;
import dev.couv.world.DirHandle;
import dev.couv.world.FileCall;
import dev.couv.world.FileCalls;
import dev.couv.world.FileFacts;
import dev.couv.world.FileHandle;
import dev.couv.world.FileSystemFacts;
import dev.couv.world.OpenedFile;
import dev.couv.world.PathCall;
import java.nio.file.AccessMode;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// libuv's calls on paths as requests, one method per call. What they bring that must be released is
/// released here, if nobody takes it.
final class HostFiles implements FileCalls {
  // ---- what is open then

  @Override
  public <T> PathCall<OpenedFile<T>> open(
      Path path, Set<OpenOption> options, int mode, FileFacts<T> facts) {
    return Opening.of(path, OpenFlags.of(options), mode, facts);
  }

  @Override
  public <T> PathCall<OpenedFile<T>> openPlace(Path path, FileFacts<T> facts) {
    return Opening.of(path, OpenFlags.PLACE, 0, facts);
  }

  @Override
  public <T> PathCall<OpenedFile<T>> mkstemp(Path template, FileFacts<T> facts) {
    return Opening.ofTemporary(template, facts);
  }

  @Override
  public FileHandle adopt(int descriptor, String name) {
    return new HostFile(new Descriptor(descriptor, name, false));
  }

  @Override
  public FileCall<DirHandle> opendir(
      Path path, Object known, @Nullable EventLoop loop, DirHandle.Entries first) {
    return new DirOpening(path, known, loop, first);
  }

  // ---- what is at a path

  @Override
  public <T> PathCall<T> stat(Path path, FileFacts<T> facts) {
    return Calls.onPath("stat", path, UvFs::uv_fs_stat, Calls.info(facts));
  }

  @Override
  public <T> PathCall<T> lstat(Path path, FileFacts<T> facts) {
    return Calls.lstat(path, facts);
  }

  @Override
  public <T> PathCall<T> statfs(Path path, FileSystemFacts<T> facts) {
    return Calls.onPath(
        "statfs",
        path,
        UvFs::uv_fs_statfs,
        (request, result) -> Stat.readFileSystem(UvFsRequest.uv_fs_get_ptr(request), facts));
  }

  @Override
  public PathCall<@Nullable Void> access(Path path, AccessMode... modes) {
    int mode = FileLayouts.F_OK;
    for (AccessMode each : modes) {
      mode |=
          switch (each) {
            case READ -> FileLayouts.R_OK;
            case WRITE -> FileLayouts.W_OK;
            case EXECUTE -> FileLayouts.X_OK;
          };
    }
    int asked = mode;
    return Calls.onPath("access", path, (l, r, at, cb) -> UvFs.uv_fs_access(l, r, at, asked, cb));
  }

  @Override
  public PathCall<Path> readlink(Path path) {
    return Calls.onPath("readlink", path, UvFs::uv_fs_readlink, Calls.PATH_AT_POINTER);
  }

  @Override
  public PathCall<Path> realpath(Path path) {
    return Calls.onPath("realpath", path, UvFs::uv_fs_realpath, Calls.PATH_AT_POINTER);
  }

  // ---- making and removing

  @Override
  public FileRequest<@Nullable Void> mkdir(Path path, int mode) {
    return Calls.onPath("mkdir", path, (l, r, at, cb) -> UvFs.uv_fs_mkdir(l, r, at, mode, cb));
  }

  @Override
  public PathCall<Path> mkdirOwn(Path path, int mode) {
    return Calls.making(mkdir(path, mode), (_, _) -> path, made -> rmdir(made).now());
  }

  @Override
  public PathCall<Path> mkdtemp(Path template) {
    return Calls.making(
        Calls.onPath("mkdtemp", template, UvFs::uv_fs_mkdtemp),
        (request, _) -> PathBytes.read(UvFsRequest.uv_fs_get_path(request)),
        unused -> rmdir(unused).now());
  }

  /// The name is removed again if nobody is told of it.
  @Override
  public PathCall<Path> link(Path existing, Path made) {
    return Calls.making(
            Calls.onTwo("link", existing, made, UvFs::uv_fs_link),
            (_, _) -> made,
            unused -> Calls.unlinkSame(unused, Calls.lstat(existing, Stat.IDENTITY).now()))
        .named(existing, made);
  }

  /// The link is removed again if nobody is told of it.
  @Override
  public PathCall<Path> symlink(Path target, Path made) {
    return Calls.making(
            Calls.onTwo(
                "symlink",
                target,
                made,
                (l, r, first, second, cb) -> UvFs.uv_fs_symlink(l, r, first, second, 0, cb)),
            (_, _) -> made,
            unused -> {
              if (readlink(unused).now().equals(target)) {
                Calls.unlink(unused).now();
              }
            })
        .named(target, made);
  }

  @Override
  public PathCall<@Nullable Void> rename(Path from, Path to) {
    return Calls.onTwo("rename", from, to, UvFs::uv_fs_rename);
  }

  @Override
  public PathCall<@Nullable Void> unlink(Path path) {
    return Calls.unlink(path);
  }

  @Override
  public PathCall<@Nullable Void> rmdir(Path path) {
    return Calls.onPath("rmdir", path, UvFs::uv_fs_rmdir);
  }

  // ---- changing

  @Override
  public PathCall<@Nullable Void> chmod(Path path, int mode) {
    return Calls.onPath("chmod", path, (l, r, at, cb) -> UvFs.uv_fs_chmod(l, r, at, mode, cb));
  }

  @Override
  public PathCall<@Nullable Void> chown(Path path, long uid, long gid) {
    return Calls.onPath(
        "chown", path, (l, r, at, cb) -> UvFs.uv_fs_chown(l, r, at, (int) uid, (int) gid, cb));
  }

  @Override
  public PathCall<@Nullable Void> lchown(Path path, long uid, long gid) {
    return Calls.onPath(
        "lchown", path, (l, r, at, cb) -> UvFs.uv_fs_lchown(l, r, at, (int) uid, (int) gid, cb));
  }

  @Override
  public FileCall<@Nullable Void> touch(
      Path path, boolean ofLink, @Nullable Instant accessed, @Nullable Instant modified) {
    return Touch.of(path, ofLink, accessed, modified);
  }
}
