// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// What a watch is to tell.
final class Changes {
  private Changes() {}

  static PathChange change(Path path, ChangeKind kind) {
    return new PathChange(path, kind);
  }

  /// Takes changes until that one comes, and returns those before it.
  static List<PathChange> until(Watch watch, PathChange last) throws Exception {
    List<PathChange> before = new ArrayList<>();
    for (PathChange each; !(each = watch.next()).equals(last); ) {
      before.add(each);
    }
    return before;
  }

  /// Lets the system lose what it has to tell of this directory, if nobody takes it out meanwhile. Two files in turn, so
  /// that nothing is merged.
  static void overflow(Path directory) throws IOException {
    // Not by the JDK: it reads such a file byte by byte, and the system gives it only the first.
    String queue = Fs.readStringNow(Path.of("/proc/sys/fs/inotify/max_queued_events")).strip();
    try (FileChannel one = open(directory.resolve("one"));
        FileChannel two = open(directory.resolve("two"))) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(1);
      for (int i = 0; i < Integer.parseInt(queue) / 2 + 10; i++) {
        one.write(bytes.clear());
        two.write(bytes.clear());
      }
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }
}
