// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.PathBytes;
import dev.couv.fs.CopyOptions.Progress;
import dev.couv.fs.CopyOptions.Sharing;
import dev.couv.loop.Failures;
import dev.couv.uv.FileLayouts;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvFs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Copies a file, in pieces.
///
/// Not by libuv's own call (`uv__fs_copyfile` of 1.44.2), which copies all in one go: nobody can stop it
/// then; it never ends if the file gets shorter meanwhile, because it goes on until as many bytes are copied as
/// there were; it takes a file that does not tell its size, as in `/proc`, for empty; and what it fails to copy
/// it removes, be that a device. The pieces go from file to file inside the
/// kernel, by a call that shares the blocks where the file system can.
final class FileCopy {
  /// What is copied at once: a cancellation waits for it, and progress is told after it.
  private static final long PIECE = 8 << 20;

  /// Likewise where the bytes pass through this process.
  private static final int SMALL_PIECE = 1 << 16;

  private final Way way;
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
    if (options.sharing() == Sharing.REQUIRE) {
      share();
    } else {
      copy();
    }
  }

  // ---- sharing, or nothing

  /// Beside the target, which must not be gone if this fails, and then in its place.
  private void share() throws IOException {
    Path beside = to.resolveSibling("." + to.getFileName() + "." + UUID.randomUUID());
    way.make(FileCalls.copyfile(from, beside, UvFs.UV_FS_COPYFILE_FICLONE_FORCE).named(from, to));
    try {
      if (options.overwrite()) {
        way.make(FileCalls.rename(beside, to).named(from, to));
      } else {
        way.make(FileCalls.link(beside, to).named(from, to));
        FileCalls.unlink(beside).now();
      }
    } catch (Throwable failed) {
      remove(beside, failed);
      throw failed;
    }
    Progress progress = options.progress();
    if (progress != null) {
      long size = way.make(FileCalls.stat(to)).size();
      progress.copied(size, size);
    }
  }

  // ---- piece by piece

  private void copy() throws IOException {
    int creating =
        FileLayouts.UV_FS_O_WRONLY
            | FileLayouts.UV_FS_O_CREAT
            | (options.overwrite() ? 0 : FileLayouts.UV_FS_O_EXCL);
    try (OpenFile source = OpenFile.open(way, from, FileLayouts.UV_FS_O_RDONLY, 0)) {
      FileInfo info = source.infoWhenOpened();
      if (info.isDirectory()) {
        // Found out by the first read, it would be too late: the target would be changed already.
        throw Failures.ofFile(UvErrors.code("EISDIR"), "copy", from.toString());
      }
      int mode = info.mode() & Permissions.ALL;
      try (OpenFile target = OpenFile.open(way, to, creating, mode)) {
        FileInfo before = target.infoWhenOpened();
        if (before.device() != info.device() || before.inode() != info.inode()) {
          replace(source, info, target, before);
        }
      }
    }
  }

  /// At once: the file is open, so this asks nobody but the kernel's memory.
  private static FileInfo infoOf(OpenFile file) throws IOException {
    return FileCalls.fstat(file.descriptor(), file.toString()).now();
  }

  private void replace(OpenFile source, FileInfo info, OpenFile target, FileInfo before)
      throws IOException {
    boolean emptied = before.size() == 0; // it may have been made by this copy
    try {
      if (before.size() > 0 && before.isRegularFile()) {
        target.make(way, FileCalls.ftruncate(target.descriptor(), to.toString(), 0));
        emptied = true;
      }
      if (source.isRegular() && target.isRegular()) {
        copyInside(source, info.size(), target);
      } else {
        copyThrough(source, info.size(), target);
      }
      int mode = info.mode() & Permissions.ALL;
      if (before.isRegularFile() && (before.mode() & Permissions.ALL) != mode) {
        target.make(way, FileCalls.fchmod(target.descriptor(), to.toString(), mode));
      }
      target.closeWritten();
    } catch (Throwable failed) {
      if (before.isRegularFile()) {
        removeHalf(target, before, emptied, failed);
      }
      throw failed;
    }
  }

  /// Half a copy looks like a whole one. Not removed is what is still as it was, and what somebody has
  /// put in its place meanwhile. If the target is a link, that stays, and what it leads to does not.
  private void removeHalf(OpenFile target, FileInfo before, boolean emptied, Throwable failed) {
    try {
      if (emptied || infoOf(target).size() == 0) {
        Path real = FileCalls.realpath(to).now();
        FileInfo found = FileCalls.lstat(real).now();
        if (found.device() == before.device() && found.inode() == before.inode()) {
          FileCalls.unlink(real).now();
        }
      }
    } catch (IOException e) {
      failed.addSuppressed(e);
    }
  }

  private static void remove(Path path, Throwable failed) {
    try {
      FileCalls.unlink(path).now();
    } catch (IOException e) {
      failed.addSuppressed(e);
    }
  }

  /// A size of 0 may mean that the system does not tell: then until nothing comes.
  private void copyInside(OpenFile source, long size, OpenFile target) throws IOException {
    String both = from + " -> " + to;
    long done = 0;
    while (size == 0 || done < size) {
      long piece = size == 0 ? PIECE : Math.min(PIECE, size - done);
      // The source waits for its end, so neither file is closed under it.
      long count =
          source.make(
              way, FileCalls.sendfile(target.descriptor(), source.descriptor(), both, done, piece));
      if (count == 0) {
        break;
      }
      done += count;
      if (done < size) {
        tell(options.progress(), done, size);
      }
    }
    tell(options.progress(), done, done);
  }

  private void copyThrough(OpenFile source, long size, OpenFile target) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(SMALL_PIECE);
    long done = 0;
    while ((way == Way.NOW ? source.readNow(piece) : source.read(piece)) >= 0) {
      done += piece.flip().remaining();
      if (way == Way.NOW) {
        target.writeNow(piece);
      } else {
        target.write(piece);
      }
      piece.clear();
      tell(options.progress(), done, Math.max(size, done));
    }
    tell(options.progress(), done, done);
  }

  private static void tell(@Nullable Progress progress, long done, long size) {
    if (progress != null) {
      progress.copied(done, size);
    }
  }
}
