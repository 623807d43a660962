// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.costs;

import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import dev.couv.fs.DirEntry;
import dev.couv.fs.Fs;
import dev.couv.fs.Listing;
import java.nio.file.Path;

/// What files cost on Couv, one request at a time: `SIZE CASE DIRECTORY`. The directory is new, and removed by who made it.
public final class FileProgram {
  private final int size;
  private final Path place;

  private FileProgram(int size, Path place) {
    this.size = size;
    this.place = place;
  }

  public static void main(String[] args) throws Exception {
    FileProgram program = new FileProgram(Integer.parseInt(args[0]), Path.of(args[2]));
    Loop.run(() -> program.run(args[1]));
  }

  private void run(String what) throws Exception {
    Path file = place.resolve("file");
    byte[] bytes = new byte[size];
    switch (what) {
      case "read" -> {
        Fs.writeBytes(file, bytes);
        Stopwatch.measureWarm(FileWork.times(size), repeat(() -> Fs.readBytes(file)));
      }
      case "write" ->
          Stopwatch.measureWarm(FileWork.times(size), repeat(() -> Fs.writeBytes(file, bytes)));
      case "stat" -> {
        Fs.writeBytes(file, bytes);
        Stopwatch.measureWarm(20_000, repeat(() -> Fs.info(file)));
      }
      case "list" -> {
        FileWork.fill(place, size, 0);
        Stopwatch.measureWarm(FileWork.listings(size), repeat(this::list));
      }
      case "copy" -> {
        Path tree = FileWork.tree(place, size);
        Path copy = place.resolve("copy");
        Stopwatch.measureWarm(
            FileWork.copies(size),
            repeat(
                () -> {
                  copyTree(tree, copy);
                  Fs.removeTree(copy);
                }));
      }
      default -> throw new IllegalArgumentException(what);
    }
  }

  private void list() throws Exception {
    int found = 0;
    try (Listing entries = Fs.list(place)) {
      for (DirEntry _ : entries) {
        found++;
      }
    }
    if (found != size) {
      throw new AssertionError(found);
    }
  }

  private static void copyTree(Path from, Path to) throws Exception {
    Fs.makeDir(to);
    try (Listing entries = Fs.list(from)) {
      for (DirEntry entry : entries) {
        Path source = from.resolve(entry.name());
        Path target = to.resolve(entry.name());
        if (entry.isDirectory()) {
          copyTree(source, target);
        } else {
          Fs.copy(source, target);
        }
      }
    }
  }

  private static Stopwatch.Work repeat(Action action) {
    return times -> {
      for (int i = 0; i < times; i++) {
        action.run();
      }
    };
  }
}
