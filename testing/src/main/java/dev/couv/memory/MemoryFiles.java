// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.PathBytes;
import dev.couv.world.DirHandle;
import dev.couv.world.FileCall;
import dev.couv.world.FileCalls;
import dev.couv.world.FileFacts;
import dev.couv.world.FileHandle;
import dev.couv.world.FileSystemFacts;
import dev.couv.world.OpenedFile;
import dev.couv.world.PathCall;
import dev.couv.world.PathEvent;
import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The files of a machine in memory. Whoever runs there may do everything with them, as a superuser may.
final class MemoryFiles implements FileCalls {
  private static final int PERMISSIONS = 07777;
  private static final int BLOCK = 4096;
  private static final int UMASK = 022;

  private final MemoryProcess process;
  private final Node node;

  MemoryFiles(MemoryProcess process) {
    this.process = process;
    node = process.node();
  }

  private Tree.Place find(Path path, boolean follows) throws Errno {
    return node.tree().find(process.absolute(path), follows);
  }

  private Inode inode(Path path, boolean follows) throws Errno {
    return find(path, follows).existing();
  }

  private <T extends @Nullable Object> PathCall<T> call(
      String call, Path path, MemoryCall.Work<T> work) {
    return new MemoryCall<>(process, call, PathBytes.check(path), null, work);
  }

  // ---- what is open then

  @Override
  public <T> PathCall<OpenedFile<T>> open(
      Path path, Set<OpenOption> options, int mode, FileFacts<T> facts) {
    return new Opening<>(path, () -> opened(path, options, mode, facts));
  }

  /// Closes what nobody takes.
  private class Opening<T> extends MemoryCall<OpenedFile<T>> {
    Opening(Path path, Work<OpenedFile<T>> work) {
      super(process, "open", PathBytes.check(path), null, work);
    }

    @Override
    void unmake(OpenedFile<T> made) throws IOException {
      made.file().close();
    }
  }

  private <T> OpenedFile<T> opened(Path path, Set<OpenOption> options, int mode, FileFacts<T> facts)
      throws IOException {
    boolean writes = options.contains(StandardOpenOption.WRITE);
    boolean isNew = options.contains(StandardOpenOption.CREATE_NEW);
    boolean follows = !isNew && !options.contains(LinkOption.NOFOLLOW_LINKS);
    Tree.Place place = find(path, follows);
    Inode inode = place.inode();
    if (inode == null && (isNew || options.contains(StandardOpenOption.CREATE))) {
      inode = node.tree().make(place, Inode.FILE | (mode & ~UMASK & PERMISSIONS), null);
    } else if (inode == null) {
      throw new Errno("ENOENT");
    } else if (isNew) {
      throw new Errno("EEXIST");
    } else if (inode.isLink()) {
      throw new Errno("ELOOP");
    } else if (inode.isDirectory() && writes) {
      throw new Errno("EISDIR");
    } else if (inode.isSocket()) {
      throw new Errno("ENXIO");
    }
    if (options.contains(StandardOpenOption.TRUNCATE_EXISTING) && writes && inode.size() > 0) {
      node.disk().resize(inode, 0);
      node.tree().changed(place, PathEvent.MODIFIED);
    }
    boolean reads = options.contains(StandardOpenOption.READ) || !writes;
    boolean appends = options.contains(StandardOpenOption.APPEND);
    Tree.Place at = new Tree.Place(place.directory(), place.name(), inode, place.path());
    MemoryFile file =
        new MemoryFile(
            process, new Description(at, inode, reads, writes, appends, false), true, path);
    return new OpenedFile<>(file, path, facts(inode, facts));
  }

  @Override
  public <T> PathCall<OpenedFile<T>> openPlace(Path path, FileFacts<T> facts) {
    return new Opening<>(
        path,
        () -> {
          Tree.Place place = find(path, false);
          Inode inode = place.existing();
          if (!inode.isDirectory()) {
            throw new Errno("ENOTDIR");
          }
          MemoryFile file =
              new MemoryFile(
                  process, new Description(place, inode, true, false, false, false), true, path);
          return new OpenedFile<>(file, path, facts(inode, facts));
        });
  }

  @Override
  public <T> PathCall<OpenedFile<T>> mkstemp(Path template, FileFacts<T> facts) {
    return new Opening<>(
        template,
        () -> {
          Tree.Place place = node.tree().temporary(process.absolute(template));
          Inode inode = node.tree().make(place, Inode.FILE | 0600, null);
          Path path = template.resolveSibling(String.valueOf(place.name()));
          Tree.Place at = new Tree.Place(place.directory(), place.name(), inode, place.path());
          MemoryFile file =
              new MemoryFile(
                  process, new Description(at, inode, true, true, false, false), true, path);
          return new OpenedFile<>(file, path, facts(inode, facts));
        }) {
      @Override
      void unmake(OpenedFile<T> made) throws IOException {
        super.unmake(made);
        node.tree().unlink(find(made.path(), false));
      }
    };
  }

  @Override
  public FileHandle adopt(int descriptor, String name) {
    return new MemoryFile(process, process.descriptors().takeFile(descriptor, name), false, name);
  }

  @Override
  public FileCall<DirHandle> opendir(
      Path path, Object known, @Nullable EventLoop loop, DirHandle.Entries first) {
    return this.<DirHandle>call(
            "opendir",
            path,
            () -> {
              Inode inode = inode(path, true);
              if (!inode.isDirectory()) {
                throw new Errno("ENOTDIR");
              }
              return new MemoryDir(process, inode, path);
            })
        .named(known);
  }

  // ---- what is at a path

  @Override
  public <T> PathCall<T> stat(Path path, FileFacts<T> facts) {
    return call("stat", path, () -> facts(inode(path, true), facts));
  }

  @Override
  public <T> PathCall<T> lstat(Path path, FileFacts<T> facts) {
    return call("lstat", path, () -> facts(inode(path, false), facts));
  }

  static <T> T facts(Inode inode, FileFacts<T> facts) {
    long size = inode.isDirectory() ? BLOCK : inode.size();
    return facts.of(
        1,
        inode.mode,
        inode.links,
        inode.uid,
        inode.gid,
        0,
        inode.number,
        size,
        BLOCK,
        (size + 511) / 512,
        0,
        0,
        inode.accessed,
        inode.modified,
        inode.changed,
        inode.created);
  }

  @Override
  public <T> PathCall<T> statfs(Path path, FileSystemFacts<T> facts) {
    return call(
        "statfs",
        path,
        () -> {
          inode(path, true);
          long all = node.disk().trouble().capacity() / BLOCK;
          long free = Math.max(0, all - node.disk().used() / BLOCK);
          return facts.of(0x01021994, BLOCK, all, free, free, 1 << 20, 1 << 20);
        });
  }

  @Override
  public PathCall<@Nullable Void> access(Path path, AccessMode... modes) {
    return call(
        "access",
        path,
        () -> {
          Inode inode = inode(path, true);
          if (Set.of(modes).contains(AccessMode.EXECUTE)
              && !inode.isDirectory()
              && (inode.mode & 0111) == 0) {
            throw new Errno("EACCES");
          }
          return null;
        });
  }

  @Override
  public PathCall<Path> readlink(Path path) {
    return call(
        "readlink",
        path,
        () -> {
          Path target = inode(path, false).target;
          if (target == null) {
            throw new Errno("EINVAL");
          }
          return target;
        });
  }

  @Override
  public PathCall<Path> realpath(Path path) {
    return call(
        "realpath",
        path,
        () -> {
          Tree.Place place = find(path, true);
          place.existing();
          return place.path();
        });
  }

  // ---- making and removing

  private Inode makeDirectory(Path path, int mode) throws Errno {
    return node.tree()
        .make(find(path, false), Inode.DIRECTORY | (mode & ~UMASK & PERMISSIONS), null);
  }

  @Override
  public PathCall<@Nullable Void> mkdir(Path path, int mode) {
    return call(
        "mkdir",
        path,
        () -> {
          makeDirectory(path, mode);
          return null;
        });
  }

  @Override
  public PathCall<Path> mkdirOwn(Path path, int mode) {
    return new MemoryCall<>(
        process,
        "mkdir",
        PathBytes.check(path),
        null,
        () -> {
          makeDirectory(path, mode);
          return path;
        }) {
      @Override
      void unmake(Path made) throws IOException {
        node.tree().rmdir(find(made, false));
      }
    };
  }

  @Override
  public PathCall<Path> mkdtemp(Path template) {
    return new MemoryCall<>(
        process,
        "mkdtemp",
        PathBytes.check(template),
        null,
        () -> {
          Tree.Place place = node.tree().temporary(process.absolute(template));
          node.tree().make(place, Inode.DIRECTORY | 0700, null);
          return template.resolveSibling(String.valueOf(place.name()));
        }) {
      @Override
      void unmake(Path made) throws IOException {
        node.tree().rmdir(find(made, false));
      }
    };
  }

  @Override
  public PathCall<Path> link(Path existing, Path made) {
    return making(
        "link", existing, made, () -> node.tree().link(inode(existing, false), find(made, false)));
  }

  @Override
  public PathCall<Path> symlink(Path target, Path made) {
    return making(
        "symlink",
        target,
        made,
        () -> node.tree().make(find(made, false), Inode.LINK | 0777, target));
  }

  private interface Making {
    void make() throws Errno;
  }

  private PathCall<Path> making(String call, Path from, Path made, Making making) {
    PathBytes.check(made);
    return new MemoryCall<Path>(
        process,
        call,
        PathBytes.check(from),
        null,
        () -> {
          making.make();
          return made;
        }) {
      @Override
      void unmake(Path unused) throws IOException {
        node.tree().unlink(find(unused, false));
      }
    }.named(from, made);
  }

  private PathCall<@Nullable Void> changing(String call, Path path, Making making) {
    return call(
        call,
        path,
        () -> {
          making.make();
          return null;
        });
  }

  @Override
  public PathCall<@Nullable Void> rename(Path from, Path to) {
    PathBytes.check(to);
    return changing("rename", from, () -> node.tree().rename(find(from, false), find(to, false)))
        .named(from, to);
  }

  @Override
  public PathCall<@Nullable Void> unlink(Path path) {
    return changing("unlink", path, () -> node.tree().unlink(find(path, false)));
  }

  @Override
  public PathCall<@Nullable Void> rmdir(Path path) {
    return changing("rmdir", path, () -> node.tree().rmdir(find(path, false)));
  }

  // ---- changing

  static void chmod(Node node, Inode inode, int mode) {
    inode.mode = (inode.mode & Inode.TYPE) | (mode & PERMISSIONS);
    inode.changed = node.disk().now();
  }

  static void chown(Node node, Inode inode, long uid, long gid) {
    inode.uid = uid == -1 ? inode.uid : uid;
    inode.gid = gid == -1 ? inode.gid : gid;
    inode.changed = node.disk().now();
  }

  static void touch(
      Node node, Inode inode, @Nullable Instant accessed, @Nullable Instant modified) {
    inode.accessed = accessed == null ? inode.accessed : accessed;
    inode.modified = modified == null ? inode.modified : modified;
    inode.changed = node.disk().now();
  }

  private PathCall<@Nullable Void> attributes(
      String call, Path path, boolean follows, Consumer<Inode> change) {
    return changing(
        call,
        path,
        () -> {
          Tree.Place place = find(path, follows);
          change.accept(place.existing());
          node.tree().changed(place, PathEvent.ATTRIBUTES);
        });
  }

  @Override
  public PathCall<@Nullable Void> chmod(Path path, int mode) {
    return attributes("chmod", path, true, inode -> chmod(node, inode, mode));
  }

  @Override
  public PathCall<@Nullable Void> chown(Path path, long uid, long gid) {
    return attributes("chown", path, true, inode -> chown(node, inode, uid, gid));
  }

  @Override
  public PathCall<@Nullable Void> lchown(Path path, long uid, long gid) {
    return attributes("lchown", path, false, inode -> chown(node, inode, uid, gid));
  }

  @Override
  public FileCall<@Nullable Void> touch(
      Path path, boolean ofLink, @Nullable Instant accessed, @Nullable Instant modified) {
    return attributes("touch", path, !ofLink, inode -> touch(node, inode, accessed, modified));
  }
}
