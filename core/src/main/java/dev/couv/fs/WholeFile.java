// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.uv.FileLayouts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;

/// Reads and writes all of a file.
final class WholeFile {
  private static final int CREATING =
      FileLayouts.UV_FS_O_WRONLY | FileLayouts.UV_FS_O_CREAT | FileLayouts.UV_FS_O_TRUNC;

  /// Where the system does not tell the size, as in `/proc`.
  private static final int FIRST_PIECE = 1 << 13;

  private static final int LARGEST = Integer.MAX_VALUE - 8;

  private WholeFile() {}

  static byte[] read(Way way, Path path) throws IOException {
    try (OpenFile file = OpenFile.open(way, path, FileLayouts.UV_FS_O_RDONLY, 0)) {
      long size = file.infoWhenOpened().size();
      if (size > LARGEST) {
        throw new OutOfMemoryError(path + " has " + size + " bytes, more than an array takes");
      }
      // One more than it has: a read that could have brought that one and did not has seen the end.
      ByteBuffer bytes = ByteBuffer.allocate(size == 0 ? FIRST_PIECE : (int) size + 1);
      for (boolean ended = false; !ended; ) {
        int asked = Math.min(bytes.remaining(), Transfer.OWN_LIMIT);
        int count = way == Way.NOW ? file.readNow(bytes) : file.read(bytes);
        ended = count < 0 || (bytes.position() == size && count < asked && file.isRegular());
        if (!ended && !bytes.hasRemaining()) {
          if (bytes.capacity() == LARGEST) {
            throw new OutOfMemoryError(path + " has more bytes than an array takes");
          }
          int larger = (int) Math.min(2L * bytes.capacity(), LARGEST);
          bytes = ByteBuffer.allocate(larger).put(bytes.flip());
        }
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }

  /// Over what is there, unless options say otherwise.
  static void write(Way way, Path path, ByteBuffer bytes, OpenOption... options)
      throws IOException {
    int flags = options.length == 0 ? CREATING : OpenFlags.ofWriting(options);
    try (OpenFile file = OpenFile.open(way, path, flags, Fs.DEFAULT_MODE)) {
      if (way == Way.NOW) {
        file.writeNow(bytes);
      } else {
        file.write(bytes);
      }
      file.closeWritten();
    }
  }
}
