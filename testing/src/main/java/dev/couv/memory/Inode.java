// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a name on a disk in memory stands for: a file, a directory, a link or a socket. What was written since it was last
/// brought to the device is remembered, because a crash may take it back.
final class Inode {
  static final int TYPE = 0xf000;
  static final int SOCKET = 0xc000;
  static final int LINK = 0xa000;
  static final int FILE = 0x8000;
  static final int DIRECTORY = 0x4000;
  static final int DEVICE = 0x2000;
  private static final int SECTOR = 512;
  private static final byte[] NOTHING = {};

  /// One write, or a change of size: what was there, and what is.
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
  private record Change(int offset, byte[] before, byte[] after, int sizeBefore, int sizeAfter) {}

  final long number;
  int mode;
  int links;
  long uid = 1000;
  long gid = 1000;
  Instant accessed;
  Instant modified;
  Instant changed;
  final Instant created;

  /// Of a directory, in the order they are listed.
  final TreeMap<String, Inode> entries = new TreeMap<>();

  /// Of a link.
  final @Nullable Path target;

  private byte[] bytes = NOTHING;
  private int size;
  private final List<Change> unsynced = new ArrayList<>(0);

  Inode(long number, int mode, @Nullable Path target, Instant now) {
    this.number = number;
    this.mode = mode;
    this.target = target;
    this.links = (mode & TYPE) == DIRECTORY ? 2 : 1;
    accessed = now;
    modified = now;
    changed = now;
    created = now;
  }

  boolean isDirectory() {
    return (mode & TYPE) == DIRECTORY;
  }

  boolean isLink() {
    return (mode & TYPE) == LINK;
  }

  boolean isFile() {
    return (mode & TYPE) == FILE;
  }

  boolean isSocket() {
    return (mode & TYPE) == SOCKET;
  }

  // ---- its bytes

  int size() {
    return target == null ? size : target.toString().length();
  }

  /// Copies what is there: how many bytes, -1 at the end.
  int read(long offset, byte[] into) {
    if (offset >= size) {
      return -1;
    }
    int count = (int) Math.min(into.length, size - offset);
    System.arraycopy(bytes, (int) offset, into, 0, count);
    return count;
  }

  void write(int offset, byte[] from, boolean recorded) {
    int end = offset + from.length;
    int sizeAfter = Math.max(size, end);
    if (recorded) {
      byte[] before =
          offset < size ? Arrays.copyOfRange(bytes, offset, Math.min(end, size)) : NOTHING;
      unsynced.add(new Change(offset, before, from, size, sizeAfter));
    }
    put(offset, from, from.length);
    size = sizeAfter;
  }

  void resize(int newSize, boolean recorded) {
    if (recorded) {
      byte[] cut = newSize < size ? Arrays.copyOfRange(bytes, newSize, size) : NOTHING;
      unsynced.add(new Change(newSize, cut, NOTHING, size, newSize));
    }
    if (newSize < size) {
      Arrays.fill(bytes, newSize, size, (byte) 0);
    } else {
      room(newSize);
    }
    size = newSize;
  }

  private void put(int offset, byte[] from, int count) {
    room(offset + count);
    System.arraycopy(from, 0, bytes, offset, count);
  }

  private void room(int wanted) {
    if (bytes.length < wanted) {
      bytes = Arrays.copyOf(bytes, Math.max(wanted, Math.min(bytes.length * 2, 1 << 30)));
    }
  }

  // ---- what lasts

  void synced() {
    unsynced.clear();
  }

  /// Of what was not brought to the device some is there, and some is not; of one piece perhaps only a part.
  void crash(Entropy entropy) {
    List<Change> changes = List.copyOf(unsynced);
    unsynced.clear();
    for (Change change : changes.reversed()) {
      Arrays.fill(bytes, Math.min(change.sizeBefore, size), size, (byte) 0);
      put(change.offset, change.before, change.before.length);
      size = change.sizeBefore;
    }
    int cut = changes.isEmpty() ? 0 : entropy.random().nextInt(changes.size() + 1);
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      if (i < cut ? entropy.chance(0.9) : i > cut && entropy.chance(0.1)) {
        redo(change, change.after.length);
      } else if (i == cut && change.after.length > 0) {
        redo(change, torn(change, entropy));
      }
    }
  }

  /// Sectors are written whole, but not all of them.
  private static int torn(Change change, Entropy entropy) {
    int first = SECTOR - change.offset % SECTOR;
    int sectors = Math.max(0, change.after.length - first) / SECTOR;
    int kept = entropy.random().nextInt(sectors + 2) - 1;
    return kept < 0 ? 0 : Math.min(change.after.length, first + kept * SECTOR);
  }

  private void redo(Change change, int count) {
    if (change.after.length == 0) {
      Arrays.fill(bytes, Math.min(change.sizeAfter, size), size, (byte) 0);
      room(change.sizeAfter);
      size = change.sizeAfter;
    } else if (count > 0) {
      put(change.offset, change.after, count);
      size = Math.max(size, change.offset + count);
    }
  }
}
