// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.error.UvException;
import dev.couv.fs.CopyOptions.Sharing;
import dev.couv.loop.Failures;
import dev.couv.loop.PathBytes;
import dev.couv.strand.Suspension;
import dev.couv.world.FileCall;
import dev.couv.world.FileCalls;
import dev.couv.world.FileHandle;
import dev.couv.world.OpenedFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// Copies a file as the system's `cp` does it. What goes where is [CopiedBytes]' matter; this one's is the file
/// around them.
///
/// ## Whose file it is
///
/// The target is made, and then it must not have been there, or found. Only so is it known what must be
/// removed when a copy fails or is left.
///
/// ## Permissions
///
/// A file that is made gets the permissions of its source, less the process's mask, and never its special bits: they
/// lend the rights of an owner, and the owner is another. One that is found keeps its own. To
/// preserve means: nobody but the owner may use it until it is whole; then the owner is set, and then the permissions, without the
/// special bits if the owner could not be set.
final class FileCopy {
  private static final Set<OpenOption> WRITING = Set.of(StandardOpenOption.WRITE);
  private static final Set<OpenOption> MAKING =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);

  private final Way way;
  private final FileCalls files = Way.files();
  private final Path from;
  private final Path to;
  private final CopyOptions options;

  FileCopy(Way way, Path from, Path to, CopyOptions options) {
    this.way = way;
    this.from = PathBytes.check(from);
    this.to = PathBytes.check(to);
    this.options = Objects.requireNonNull(options, "options");
  }

  void run() throws IOException {
    FileInfo link = options.preserve() ? way.make(files.lstat(from, FileInfo::new)) : null;
    if (link != null && link.isSymbolicLink()) {
      copyLink(link);
    } else {
      copy();
    }
  }

  // ---- a link itself

  private void copyLink(FileInfo link) throws IOException {
    checkNotWhatItLeadsTo();
    Path text = way.make(files.readlink(from));
    // Beside what is there, which must not be gone if this fails, and then in its place.
    Path made = options.overwrite() ? to.resolveSibling(beside()) : to;
    way.make(files.symlink(text, made).named(from, to));
    try {
      isOwned(() -> way.make(files.lchown(made, link.uid(), link.gid())));
      way.make(files.touch(made, true, link.accessed(), link.modified()));
      if (options.overwrite()) {
        way.make(files.rename(made, to).named(from, to));
      }
    } catch (Throwable failed) {
      try {
        files.unlink(made).now();
      } catch (IOException e) {
        failed.addSuppressed(e);
      }
      throw failed;
    }
  }

  private static String beside() {
    RandomGenerator chance = Suspension.world().chance();
    return "." + new UUID(chance.nextLong(), chance.nextLong());
  }

  /// In the place of its own target a link would lead to itself, and the bytes would be gone.
  private void checkNotWhatItLeadsTo() throws IOException {
    try {
      if (way.make(files.stat(from, FileInfo::new))
          .isSameFile(way.make(files.lstat(to, FileInfo::new)))) {
        throw new FileSystemException(
            from.toString(), to.toString(), "copy: the link leads to the target");
      }
    } catch (NoSuchFileException apart) {
      return;
    } catch (UvException e) {
      if (!e.code().equals("ELOOP")) {
        throw e;
      }
    }
  }

  // ---- a file

  private void copy() throws IOException {
    OpenedFile<FileInfo> source = open(from, OpenOptions.READING, 0);
    try (FileHandle _ = source.file()) {
      FileInfo info = source.info();
      if (info.isDirectory()) {
        // Found out by the first read, it would be too late: the target would be changed already.
        throw Failures.ofFile("EISDIR", "copy", from.toString());
      }
      try (Target target = openTarget(info)) {
        if (!target.info().isSameFile(info)) {
          replace(source, target);
        }
      }
    }
  }

  /// A file that is open to be written, and whether this copy made it.
  private record Target(FileHandle file, FileInfo info, boolean made) implements AutoCloseable {
    Target(OpenedFile<FileInfo> opened, boolean made) {
      this(opened.file(), opened.info(), made);
    }

    @Override
    public void close() {
      file.close();
    }
  }

  private OpenedFile<FileInfo> open(Path path, Set<OpenOption> how, int mode) throws IOException {
    return way.make(files.open(path, how, mode, FileInfo::new));
  }

  private Target openTarget(FileInfo source) throws IOException {
    int mode = source.mode() & (options.preserve() ? Permissions.OWNERS : Permissions.NINE);
    while (true) {
      try {
        return new Target(open(to, MAKING, mode), true);
      } catch (FileAlreadyExistsException found) {
        if (!options.overwrite()) {
          throw found;
        }
      }
      try {
        Target found = new Target(open(to, WRITING, 0), false);
        if (!isAlsoElsewhere(found.info()) || found.info().isSameFile(source)) {
          return found;
        }
        found.close();
        way.make(files.unlink(way.make(files.realpath(to))));
      } catch (NoSuchFileException gone) {
        checkNoLink();
      }
    }
  }

  /// What is preserved must not become that of another name, too: then the target is made anew.
  private boolean isAlsoElsewhere(FileInfo target) {
    return options.preserve() && target.isRegularFile() && target.links() > 1;
  }

  /// Somebody has removed it meanwhile, and it can be made now; but what a link that leads nowhere is about, only
  /// its owner knows.
  private void checkNoLink() throws IOException {
    try {
      if (way.make(files.lstat(to, FileInfo::new)).isSymbolicLink()) {
        throw new FileSystemException(
            from.toString(), to.toString(), "copy: the target is a link that leads nowhere");
      }
    } catch (NoSuchFileException gone) {
      return;
    }
  }

  private void replace(OpenedFile<FileInfo> source, Target target) throws IOException {
    FileInfo info = source.info();
    CopiedBytes bytes = new CopiedBytes(way, source, target.file(), options.progress());
    boolean regular = target.info().isRegularFile();
    boolean replaced = target.made();
    try {
      if (options.sharing() == Sharing.REQUIRE) {
        bytes.share();
        replaced = true;
        way.make(target.file().truncate(info.size()));
      } else {
        if (target.info().size() > 0 && regular) {
          way.make(target.file().truncate(0));
          replaced = true;
        }
        bytes.copy();
      }
      if (options.preserve() && regular) {
        preserve(info, target);
      }
      replaced = true; // what fails now can no more be undone by way of the descriptor
      target.file().closeWritten();
    } catch (Throwable failed) {
      if (regular) {
        unmake(target, replaced, failed);
      }
      throw failed;
    }
  }

  // ---- what is known about it

  private void preserve(FileInfo info, Target target) throws IOException {
    int mode = info.mode() & Permissions.ALL;
    FileHandle file = target.file();
    if (!target.made()) {
      // Its new owner must not get what its old one could do with it.
      int both = target.info().mode() & mode & Permissions.OWNERS;
      way.make(file.chmod(both));
    }
    boolean owned =
        (target.info().uid() == info.uid() && target.info().gid() == info.gid())
            || isOwned(() -> way.make(file.chown(info.uid(), info.gid())));
    if (!owned) {
      isOwned(() -> way.make(file.chown(-1, info.gid())));
    }
    file.touch(info.accessed(), info.modified());
    int kept = owned ? mode : mode & Permissions.NINE;
    way.make(file.chmod(kept));
  }

  @FunctionalInterface
  private interface Chown {
    void make() throws IOException;
  }

  /// Whether the system set the owner. Most users may not give files away, and not all file systems know owners.
  private static boolean isOwned(Chown chown) throws IOException {
    try {
      chown.make();
      return true;
    } catch (AccessDeniedException refused) {
      return false;
    } catch (UvException e) {
      if (e.code().equals("EINVAL") || e.code().equals("ENOTSUP")) {
        return false;
      }
      throw e;
    }
  }

  // ---- when it fails

  /// Half a copy looks like a whole one. Not removed is what is still as it was, and what somebody has
  /// put in its place meanwhile. If the target is a link, that stays, and what it leads to does not.
  private void unmake(Target target, boolean replaced, Throwable failed) {
    FileHandle file = target.file();
    long before = target.info().size();
    try {
      // Of a call that was left while a thread was inside, only the file tells what became of it.
      boolean gone = replaced || (before > 0 && file.stat(FileInfo::new).now().size() == 0);
      if (file.isOpen() && (gone || before == 0)) {
        // A large file takes a while: not when it is closed, on the loop's thread.
        awaitAtLast(file.truncate(0));
      }
      if (gone) {
        unlinkSame(files.realpath(to).now(), target.info());
      }
    } catch (IOException e) {
      failed.addSuppressed(e);
    }
  }

  /// Unless there is another at the path by now.
  private void unlinkSame(Path path, FileInfo file) throws IOException {
    if (files.lstat(path, FileInfo::new).now().isSameFile(file)) {
      files.unlink(path).now();
    }
  }

  /// Also in a coroutine that is cancelled.
  private void awaitAtLast(FileCall<?> call) throws IOException {
    if (way == Way.NOW) {
      way.make(call);
      return;
    }
    try {
      Coroutine.protect(() -> way.make(call));
    } catch (Cancelled | Resumed told) {
      return; // by what it leaves for, or because there is no time: then it ends by itself
    } catch (Exception e) {
      throw Failures.io(e);
    }
  }
}
