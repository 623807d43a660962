// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.fs.CopyOptions.Progress;
import dev.couv.world.FileHandle;
import dev.couv.world.OpenedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The bytes of a file on their way into another, in pieces. They go from file to file inside the kernel, by a call that
/// shares the blocks where the file system can.
final class CopiedBytes {
  /// What is copied at once: a cancellation waits for it, and progress is told after it.
  private static final long PIECE = 8 << 20;

  /// What is copied at once where the bytes pass through this process.
  private static final int SMALL_PIECE = 1 << 16;

  /// Of which [FileInfo#blocks] counts.
  private static final long BLOCK = 512;

  private final Way way;
  private final FileHandle from;
  private final FileHandle to;
  private final @Nullable Progress progress;

  /// As it was when it was opened.
  private final FileInfo info;

  /// 0 may mean that the system does not tell.
  private final long size;

  CopiedBytes(
      Way way, OpenedFile<FileInfo> source, FileHandle target, @Nullable Progress progress) {
    this.way = way;
    this.from = source.file();
    this.to = target;
    this.progress = progress;
    this.info = source.info();
    this.size = info.size();
  }

  /// All of them, or none and a failure.
  void share() throws IOException {
    way.make(from.shareWith(to));
    tell(size, size);
  }

  void copy() throws IOException {
    if (!from.isRegular() || !to.isRegular()) {
      copyThrough();
    } else if (info.blocks() * BLOCK < size) {
      copyAroundHoles();
    } else {
      long done = copyInside(0, size == 0 ? Long.MAX_VALUE : size);
      tell(done, done);
    }
  }

  /// Up to there, or until nothing comes. Returns where it ended.
  private long copyInside(long start, long end) throws IOException {
    long done = start;
    while (done < end) {
      long count = way.make(from.copyTo(to, done, Math.min(PIECE, end - done)));
      if (count == 0) {
        break;
      }
      done += count;
      if (done < size) {
        tell(done, size);
      }
    }
    return done;
  }

  /// What is no hole, each where it belongs; then the end, which may be one.
  private void copyAroundHoles() throws IOException {
    long end = 0;
    long whole = size;
    for (long at = 0; at < size; at = end) {
      FileHandle.DataRange data = way.make(from.data(at));
      if (data == null) {
        break; // nothing behind it but a hole
      }
      long due = Math.min(data.end(), size);
      to.place(data.start());
      end = copyInside(data.start(), due);
      if (end < due) {
        whole = end; // it got shorter, or says more than it has, as in /sys
        break;
      }
    }
    whole = Math.min(whole, way.make(from.stat(FileInfo::new)).size());
    way.make(to.truncate(whole));
    tell(whole, whole);
  }

  /// From where both are, if one of them has no places.
  private void copyThrough() throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(SMALL_PIECE);
    long done = 0;
    while (way.make(from.read(piece, at(from, done), unclaimed -> {})) >= 0) {
      piece.flip();
      while (piece.hasRemaining()) {
        done += way.make(to.write(new ByteBuffer[] {piece}, at(to, done)));
      }
      piece.clear();
      tell(done, Math.max(size, done));
    }
    tell(done, done);
  }

  private static long at(FileHandle file, long place) {
    return file.isRegular() ? place : FileHandle.SHARED_PLACE;
  }

  private void tell(long done, long of) {
    if (progress != null) {
      progress.copied(done, of);
    }
  }
}
