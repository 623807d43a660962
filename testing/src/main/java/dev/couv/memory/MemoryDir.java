// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.world.DirHandle;
import dev.couv.world.FileCall;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// A directory in memory that is open to be listed: the names that it had when it was opened, in their order.
final class MemoryDir implements DirHandle {
  private static final int PIECE = 128;

  private record Name(Path name, int type) {}

  private final MemoryProcess process;
  private final Path path;
  private final ArrayDeque<Name> left = new ArrayDeque<>();
  private final List<MemoryCall<?>> calls = new ArrayList<>(1);
  private boolean closed;

  MemoryDir(MemoryProcess process, Inode inode, Path path) {
    this.process = process;
    this.path = path;
    inode.entries.forEach(
        (name, entry) -> left.add(new Name(Path.of(name), entry.mode & Inode.TYPE)));
  }

  @Override
  public FileCall<Integer> read(Entries told) {
    MemoryCall<Integer> call =
        new MemoryCall<>(
            process,
            "readdir",
            path,
            null,
            () -> {
              int count = 0;
              for (Name next; count < PIECE && !closed && (next = left.poll()) != null; count++) {
                told.entry(next.name(), next.type());
              }
              return count;
            });
    calls.clear();
    calls.add(call);
    return call;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      calls.forEach(MemoryCall::fileCloses);
    }
  }

  @Override
  public void collected() {
    // There is nothing to give back.
  }

  @Override
  public String toString() {
    return "the entries of " + path;
  }
}
