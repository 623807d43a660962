// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.fs.CopyOptions.Progress;
import dev.couv.fs.CopyOptions.Sharing;
import dev.couv.uv.FileLayouts;
import dev.couv.uv.UvFs;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/// Copies a file: in one request, or, if somebody wants to see it go on, in pieces.
final class FileCopy {
  /// What is copied between two words of progress.
  private static final long PIECE = 8 << 20;

  private final Way way;
  private final Path from;
  private final Path to;
  private final CopyOptions options;

  FileCopy(Way way, Path from, Path to, CopyOptions options) {
    this.way = way;
    this.from = from;
    this.to = to;
    this.options = options;
  }

  void run() throws IOException {
    Progress progress = options.progress();
    if (progress == null) {
      way.make(FileCalls.copyfile(from, to, flags(options.sharing())));
      return;
    }
    FileInfo info = way.make(FileCalls.stat(from));
    long size = info.size();
    if (options.sharing() == Sharing.NEVER || !cloned()) {
      copyInPieces(info, progress);
    }
    progress.copied(size, size);
  }

  private int flags(Sharing sharing) {
    int flags = options.overwrite() ? 0 : UvFs.UV_FS_COPYFILE_EXCL;
    return switch (sharing) {
      case NEVER -> flags;
      case TRY -> flags | UvFs.UV_FS_COPYFILE_FICLONE;
      case REQUIRE -> flags | UvFs.UV_FS_COPYFILE_FICLONE_FORCE;
    };
  }

  /// At once, if the file system can share blocks.
  private boolean cloned() throws IOException {
    try {
      way.make(FileCalls.copyfile(from, to, flags(Sharing.REQUIRE)));
      return true;
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException unsupported) {
      if (options.sharing() == Sharing.REQUIRE) {
        throw unsupported;
      }
      return false;
    }
  }

  private void copyInPieces(FileInfo info, Progress progress) throws IOException {
    int mode = info.mode() & Permissions.ALL;
    int creating =
        FileLayouts.UV_FS_O_WRONLY
            | FileLayouts.UV_FS_O_CREAT
            | FileLayouts.UV_FS_O_TRUNC
            | (options.overwrite() ? 0 : FileLayouts.UV_FS_O_EXCL);
    try (OpenFile source = OpenFile.open(way, from, FileLayouts.UV_FS_O_RDONLY, 0);
        OpenFile target = OpenFile.open(way, to, creating, mode)) {
      String name = from + " -> " + to;
      for (long done = 0, count = 1; count > 0; done += count) {
        if (done > 0 && done < info.size()) {
          progress.copied(done, info.size());
        }
        // The source waits for the end of each, so neither is closed under it.
        count =
            source.make(
                way,
                FileCalls.sendfile(target.descriptor(), source.descriptor(), name, done, PIECE));
      }
      target.make(way, FileCalls.fchmod(target.descriptor(), to.toString(), mode));
    }
  }
}
