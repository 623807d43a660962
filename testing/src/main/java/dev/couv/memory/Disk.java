// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The disk of a machine in memory, which outlives its crashes: what was brought to the device, and of the rest some.
///
/// Names are kept as a journal keeps them: after a crash those changes are there that were made up to some moment, and that
/// is not before the last time anything was brought to the device.
public final class Disk {
  private final Entropy entropy;
  private final Supplier<Instant> now;

  /// Whether it can crash: then what was not brought to the device is remembered.
  private final boolean recorded;

  private final Inode root;
  private final List<Runnable> undo = new ArrayList<>();
  private final Set<Inode> unsynced = new LinkedHashSet<>();
  private DiskTrouble trouble = DiskTrouble.NONE;
  private long numbers = 1;
  private long used;

  Disk(Entropy entropy, boolean recorded, Supplier<Instant> now) {
    this.entropy = entropy;
    this.recorded = recorded;
    this.now = now;
    root = inode(Inode.DIRECTORY | 0755, null);
    Inode temporary = inode(Inode.DIRECTORY | 01777, null);
    root.entries.put("tmp", temporary);
  }

  public void trouble(DiskTrouble newTrouble) {
    trouble = newTrouble;
  }

  DiskTrouble trouble() {
    return trouble;
  }

  Inode root() {
    return root;
  }

  Instant now() {
    return now.get();
  }

  Entropy entropy() {
    return entropy;
  }

  long used() {
    return used;
  }

  Inode inode(int mode, @Nullable Path target) {
    return new Inode(numbers++, mode, target, now());
  }

  // ---- changes

  /// A change of names was made, which that takes back.
  void renamed(Runnable undone) {
    if (recorded) {
      undo.add(undone);
    }
  }

  void write(Inode file, long offset, byte[] from) throws Errno {
    long at = offset;
    if (trouble.misdirects() && file.size() > from.length) {
      at = entropy.random().nextInt(file.size() - from.length) / 512 * 512L;
    }
    if (at + from.length > Integer.MAX_VALUE - 8) {
      throw new Errno("EFBIG");
    }
    grow(Math.max(0, at + from.length - file.size()));
    file.write((int) at, from, recorded);
    unsynced.add(file);
    file.modified = now();
    file.changed = file.modified;
  }

  void resize(Inode file, long size) throws Errno {
    if (size > Integer.MAX_VALUE - 8) {
      throw new Errno("EFBIG");
    }
    grow(size - file.size());
    file.resize((int) size, recorded);
    unsynced.add(file);
    file.modified = now();
    file.changed = file.modified;
  }

  private void grow(long bytes) throws Errno {
    if (bytes > 0 && used + bytes > trouble.capacity()) {
      throw new Errno("ENOSPC");
    }
    used += bytes;
  }

  void freed(Inode file) {
    used -= file.isFile() ? file.size() : 0;
  }

  // ---- what lasts

  /// Brings that to the device, and all names.
  void sync(Inode file) {
    file.synced();
    unsynced.remove(file);
    undo.clear();
  }

  void crash() {
    int kept = undo.isEmpty() ? 0 : entropy.random().nextInt(undo.size() + 1);
    for (Runnable undone : undo.subList(kept, undo.size()).reversed()) {
      undone.run();
    }
    undo.clear();
    for (Inode file : unsynced) {
      file.crash(entropy);
    }
    unsynced.clear();
  }
}
