// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.world.FileHandle;
import dev.couv.world.OpenedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;

/// Reads and writes all of a file.
final class WholeFile {
  /// Where the system does not tell the size, as in `/proc`.
  private static final int FIRST_PIECE = 1 << 13;

  /// What is taken at once from the system's memory, before the others have their turns.
  private static final int LARGEST_AT_ONCE = 1 << 20;

  private static final int LARGEST = Integer.MAX_VALUE - 8;

  private WholeFile() {}

  static byte[] read(Way way, Path path) throws IOException {
    OpenedFile<FileInfo> opened =
        way.make(Way.files().open(path, OpenOptions.READING, 0, FileInfo::new));
    try (FileHandle file = opened.file()) {
      long size = opened.info().size();
      if (size > LARGEST) {
        throw new OutOfMemoryError(path + " has " + size + " bytes, more than an array takes");
      }
      if (way == Way.AWAITED && size > 0 && size <= LARGEST_AT_ONCE) {
        byte[] atHand = file.contentAtHand((int) size);
        if (atHand != null) {
          return atHand;
        }
      }
      // One more than it has: a read that could have brought that one and did not has seen the end.
      ByteBuffer bytes = ByteBuffer.allocate(size == 0 ? FIRST_PIECE : (int) size + 1);
      for (boolean ended = false; !ended; ) {
        int asked = Math.min(bytes.remaining(), FileHandle.PIECE);
        long offset = file.isRegular() ? bytes.position() : FileHandle.SHARED_PLACE;
        int count = way.make(file.read(bytes, offset, unclaimed -> {}));
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

  static String readText(Way way, Path path) throws IOException {
    byte[] all = read(way, path);
    ByteBuffer left = ByteBuffer.wrap(all);
    CharBuffer text = CharBuffer.allocate(all.length);
    if (StandardCharsets.UTF_8.newDecoder().decode(left, text, true).isError()) {
      throw new NotText(path, left.position());
    }
    return text.flip().toString();
  }

  /// The JDK's own does not tell of what.
  private static final class NotText extends CharacterCodingException {
    private static final long serialVersionUID = 1L;

    private final String message;

    NotText(Path path, int offset) {
      message = path + " is not UTF-8: at byte " + offset;
    }

    @Override
    public String getMessage() {
      return message;
    }
  }

  /// Over what is there, unless options say otherwise.
  static void write(Way way, Path path, ByteBuffer bytes, OpenOption... options)
      throws IOException {
    Set<OpenOption> all =
        options.length == 0 ? OpenOptions.REPLACING : OpenOptions.ofWriting(options);
    OpenedFile<FileInfo> opened =
        way.make(Way.files().open(path, all, Permissions.OF_FILE, FileInfo::new));
    try (FileHandle file = opened.file()) {
      boolean inOrder = !file.isRegular() || all.contains(StandardOpenOption.APPEND);
      for (long at = 0; bytes.hasRemaining(); ) {
        long offset = inOrder ? FileHandle.SHARED_PLACE : at;
        at += way.make(file.write(new ByteBuffer[] {bytes}, offset));
      }
      file.closeWritten();
    }
  }
}
