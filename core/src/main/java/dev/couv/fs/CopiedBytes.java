// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.fs.CopyOptions.Progress;
import dev.couv.loop.Failures;
import dev.couv.uv.PosixDescriptor;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The bytes of a file on their way into another, in pieces.
///
/// Not by libuv's own call (`uv__fs_copyfile` of 1.44.2), which copies all in one go: nobody can stop it
/// then; it never ends if the file gets shorter meanwhile, because it goes on until as many bytes are copied as
/// there were; it takes a file that does not tell its size, as in `/proc`, for empty; it fills holes; it sets the
/// permissions, special bits included, whoever owns the copy; and what it fails to copy it removes, be that a device. The
/// pieces go from file to file inside the kernel, by a call that shares the blocks where the file system can.
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
  private final @Nullable Progress progress;

  /// As it was when it was opened; 0 may mean that the system does not tell.
  private final long size;

  CopiedBytes(Way way, OpenFile source, OpenFile target, @Nullable Progress progress) {
    this.way = way;
    this.source = source;
    this.target = target;
    this.progress = progress;
    this.size = source.infoWhenOpened().size();
  }

  /// All of them, or none and a failure.
  void share() throws IOException {
    int from = source.descriptor();
    int to = target.descriptor();
    long code =
        PosixDescriptor.FICLONE == 0
            ? UvErrors.code("ENOTSUP")
            : SystemCall.make(
                way,
                () -> PosixDescriptor.ioctl(to, PosixDescriptor.FICLONE, from),
                source,
                target);
    if (code < 0) {
      throw Failures.ofFiles((int) code, "copy", source.toString(), target.toString());
    }
    tell(size, size);
  }

  void copy() throws IOException {
    if (!source.isRegular() || !target.isRegular()) {
      copyThrough();
    } else if (source.infoWhenOpened().blocks() * BLOCK < size) {
      copyAroundHoles();
    } else {
      long done = copyInside(0, size == 0 ? Long.MAX_VALUE : size);
      tell(done, done);
    }
  }

  /// Up to there, or until nothing comes. Returns where it ended.
  private long copyInside(long from, long end) throws IOException {
    String both = source + " -> " + target;
    long done = from;
    while (done < end) {
      long piece = Math.min(PIECE, end - done);
      // The source waits for its end, so neither file is closed under it.
      long count =
          source.make(
              way, FileCalls.sendfile(target.descriptor(), source.descriptor(), both, done, piece));
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
      long data = seek(source, at, PosixDescriptor.SEEK_DATA);
      long hole = data < 0 ? data : seek(source, data, PosixDescriptor.SEEK_HOLE);
      if (hole == UvErrors.code("ENXIO")) {
        break; // nothing behind it but a hole
      }
      if (hole < 0) {
        data = at; // a file system that knows no holes
        hole = size;
      }
      check(PosixDescriptor.lseek(target.descriptor(), data, PosixDescriptor.SEEK_SET));
      end = copyInside(data, Math.min(hole, size));
      if (end < Math.min(hole, size)) {
        whole = end; // it got shorter, or says more than it has, as in /sys
        break;
      }
    }
    whole = Math.min(whole, source.make(way, fstat(source)).size());
    target.make(way, FileCalls.ftruncate(target.descriptor(), target.toString(), whole));
    tell(whole, whole);
  }

  private static FileRequest<FileInfo> fstat(OpenFile file) throws IOException {
    return FileCalls.fstat(file.descriptor(), file.toString());
  }

  private long seek(OpenFile file, long from, int whence) throws IOException {
    int number = file.descriptor();
    return SystemCall.make(way, () -> PosixDescriptor.lseek(number, from, whence), file);
  }

  private void check(long answer) throws IOException {
    if (answer < 0) {
      throw Failures.ofFile((int) answer, "lseek", target.toString());
    }
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
