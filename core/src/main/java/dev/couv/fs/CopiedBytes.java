// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.fs.CopyOptions.Progress;
import dev.couv.world.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The bytes of a file on their way into another, in pieces. They go from file to file inside the kernel, by a call that
/// shares the blocks where the file system can.
final class CopiedBytes {
  /// What is copied at once: a cancellation waits for it, and progress is told after it.
  private static final long PIECE = 8 << 20;

  /// Likewise where the bytes pass through this process.
  private static final int SMALL_PIECE = 1 << 16;

  /// Of which [FileInfo#blocks] counts.
  private static final long BLOCK = 512;

  private final Way way;
  private final OpenFile source;
  private final OpenFile target;
  private final FileHandle from;
  private final FileHandle to;
  private final @Nullable Progress progress;

  /// As it was when it was opened; 0 may mean that the system does not tell.
  private final long size;

  CopiedBytes(Way way, OpenFile source, OpenFile target, @Nullable Progress progress) {
    this.way = way;
    this.source = source;
    this.target = target;
    this.from = source.handle();
    this.to = target.handle();
    this.progress = progress;
    this.size = source.infoWhenOpened().size();
  }

  /// All of them, or none and a failure.
  void share() throws IOException {
    source.make(way, from.shareWith(to));
    tell(size, size);
  }

  void copy() throws IOException {
    if (!from.isRegular() || !to.isRegular()) {
      copyThrough();
    } else if (source.infoWhenOpened().blocks() * BLOCK < size) {
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
      long count = source.make(way, from.copyTo(to, done, Math.min(PIECE, end - done)));
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
      FileHandle.DataRange data = source.make(way, from.data(at));
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
    whole = Math.min(whole, source.make(way, from.stat(FileInfo::new)).size());
    target.make(way, to.truncate(whole));
    tell(whole, whole);
  }

  private void copyThrough() throws IOException {
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
      tell(done, Math.max(size, done));
    }
    tell(done, done);
  }

  private void tell(long done, long of) {
    if (progress != null) {
      progress.copied(done, of);
    }
  }
}
