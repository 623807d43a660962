// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.world.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;

/// Reads and writes all of a file.
final class WholeFile {
  /// Where the system does not tell the size, as in `/proc`.
  private static final int FIRST_PIECE = 1 << 13;

  private static final int LARGEST = Integer.MAX_VALUE - 8;

  private WholeFile() {}

  static byte[] read(Way way, Path path) throws IOException {
    try (OpenFile file = OpenFile.open(way, path, OpenOptions.READING, 0)) {
      long size = file.infoWhenOpened().size();
      if (size > LARGEST) {
        throw new OutOfMemoryError(path + " has " + size + " bytes, more than an array takes");
      }
      // One more than it has: a read that could have brought that one and did not has seen the end.
      ByteBuffer bytes = ByteBuffer.allocate(size == 0 ? FIRST_PIECE : (int) size + 1);
      for (boolean ended = false; !ended; ) {
        int asked = Math.min(bytes.remaining(), FileHandle.PIECE);
        int count = way == Way.NOW ? file.readNow(bytes) : file.read(bytes);
        ended = count < 0 || (bytes.position() == size && count < asked && file.handle().isRegular());
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
    Set<OpenOption> all =
        options.length == 0 ? OpenOptions.REPLACING : OpenOptions.ofWriting(options);
    try (OpenFile file = OpenFile.open(way, path, all, Permissions.OF_FILE)) {
      if (way == Way.NOW) {
        file.writeNow(bytes);
      } else {
        file.write(bytes);
      }
      file.closeWritten();
    }
  }
}
