// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.world.PathEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The names of a disk: finds what paths lead to, and changes it as POSIX says. Whoever watches is told.
final class Tree {
  private static final int MOST_LINKS = 40;
  private static final int LONGEST_NAME = 255;
  private static final String LETTERS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

  /// A name in a directory, and what it stands for; null if for nothing. The name of the root, and of `..`, is null.
  record Place(Inode directory, @Nullable String name, @Nullable Inode inode, Path path) {
    Inode existing() throws Errno {
      if (inode == null) {
        throw new Errno("ENOENT");
      }
      return inode;
    }
  }

  /// Is told of what happens in directories.
  interface Watcher {
    /// `name` is null if it happened to the directory itself.
    void happened(Inode directory, PathEvent event, boolean ofDirectory, @Nullable String name);
  }

  private final Disk disk;
  private final boolean shadows;
  private final Watcher watcher;

  /// With `shadows`, the directories of this machine are there, too, and are empty.
  Tree(Disk disk, boolean shadows, Watcher watcher) {
    this.disk = disk;
    this.shadows = shadows;
    this.watcher = watcher;
  }

  Disk disk() {
    return disk;
  }

  /// A file that is at its end always, and keeps nothing.
  Description nowhere() {
    Inode device = new Inode(0, Inode.DEVICE | 0666, null, disk.now());
    Place place = new Place(disk.root(), null, device, Path.of("/dev/null"));
    return new Description(place, device, true, true, false, true);
  }

  // ---- finding

  /// Where a path leads that is absolute; by links, too, and if it is one itself, where that leads, unless told otherwise.
  Place find(Path path, boolean followsLast) throws Errno {
    Deque<String> left = new ArrayDeque<>();
    for (Path name : path) {
      left.addLast(name.toString());
    }
    Deque<Inode> parents = new ArrayDeque<>();
    Inode at = disk.root();
    Path real = Objects.requireNonNull(path.getRoot());
    int links = 0;
    Place place = new Place(at, null, at, real);
    while (!left.isEmpty()) {
      String name = left.removeFirst();
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      if (!at.isDirectory()) {
        throw new Errno("ENOTDIR");
      }
      if (name.equals("..")) {
        at = parents.isEmpty() ? disk.root() : parents.pop();
        real = real.getParent() == null ? real : real.getParent();
        place = new Place(at, null, at, real);
        continue;
      }
      if (name.length() > LONGEST_NAME) {
        throw new Errno("ENAMETOOLONG");
      }
      Inode next = at.entries.get(name);
      if (next == null && shadows && Files.isDirectory(real.resolve(name))) {
        next = disk.inode(Inode.DIRECTORY | 0755, null);
        at.entries.put(name, next);
        at.links++;
      }
      if (next == null && !left.isEmpty()) {
        throw new Errno("ENOENT");
      }
      if (next != null && next.isLink() && (followsLast || !left.isEmpty())) {
        if (++links > MOST_LINKS) {
          throw new Errno("ELOOP");
        }
        Path target = Objects.requireNonNull(next.target);
        for (int i = target.getNameCount() - 1; i >= 0; i--) {
          left.addFirst(target.getName(i).toString());
        }
        if (target.isAbsolute()) {
          parents.clear();
          at = disk.root();
          real = Objects.requireNonNull(path.getRoot());
          place = new Place(at, null, at, real);
        }
        continue;
      }
      place = new Place(at, name, next, real.resolve(name));
      if (next != null) {
        parents.push(at);
        at = next;
        real = real.resolve(name);
      }
    }
    return place;
  }

  Inode inode(Path path, boolean followsLast) throws Errno {
    return find(path, followsLast).existing();
  }

  // ---- making

  /// Something new of that mode, at a place where nothing is.
  Inode make(Place place, int mode, @Nullable Path target) throws Errno {
    if (place.inode() != null || place.name() == null) {
      throw new Errno("EEXIST");
    }
    Inode made = disk.inode(mode, target);
    enter(place.directory(), place.name(), made);
    told(place.directory(), PathEvent.APPEARED, made, place.name());
    return made;
  }

  /// The name that a template gets, and its place.
  Place temporary(Path template) throws Errno {
    String pattern = String.valueOf(template.getFileName());
    if (!pattern.endsWith("XXXXXX")) {
      throw new Errno("EINVAL");
    }
    String stem = pattern.substring(0, pattern.length() - 6);
    while (true) {
      StringBuilder name = new StringBuilder(stem);
      for (int i = 0; i < 6; i++) {
        name.append(LETTERS.charAt(disk.entropy().random().nextInt(LETTERS.length())));
      }
      Place place = find(template.resolveSibling(name.toString()), false);
      if (place.inode() == null) {
        return place;
      }
    }
  }

  void link(Inode existing, Place made) throws Errno {
    if (existing.isDirectory()) {
      throw new Errno("EPERM");
    }
    if (made.inode() != null || made.name() == null) {
      throw new Errno("EEXIST");
    }
    existing.links++;
    existing.changed = disk.now();
    put(made.directory(), made.name(), existing);
    disk.renamed(
        () -> {
          existing.links--;
          made.directory().entries.remove(made.name());
        });
    told(made.directory(), PathEvent.APPEARED, existing, made.name());
  }

  // ---- removing

  void unlink(Place place) throws Errno {
    Inode removed = place.existing();
    if (removed.isDirectory()) {
      throw new Errno("EISDIR");
    }
    disk.renamed(remove(place.directory(), Objects.requireNonNull(place.name()), removed));
  }

  void rmdir(Place place) throws Errno {
    Inode removed = place.existing();
    if (!removed.isDirectory()) {
      throw new Errno("ENOTDIR");
    }
    if (place.name() == null) {
      throw new Errno(place.inode() == disk.root() ? "EBUSY" : "ENOTEMPTY");
    }
    if (!removed.entries.isEmpty()) {
      throw new Errno("ENOTEMPTY");
    }
    disk.renamed(remove(place.directory(), place.name(), removed));
  }

  /// Returns what takes it back.
  private Runnable remove(Inode directory, String name, Inode removed) {
    take(directory, name);
    removed.links -= removed.isDirectory() ? 2 : 1;
    directory.links -= removed.isDirectory() ? 1 : 0;
    removed.changed = disk.now();
    if (removed.links == 0) {
      disk.freed(removed);
    }
    told(directory, PathEvent.DISAPPEARED, removed, name);
    if (removed.isDirectory()) {
      watcher.happened(removed, PathEvent.GONE, true, null);
    }
    return () -> {
      directory.entries.put(name, removed);
      removed.links += removed.isDirectory() ? 2 : 1;
      directory.links += removed.isDirectory() ? 1 : 0;
    };
  }

  // ---- renaming

  void rename(Place from, Place to) throws Errno {
    Inode moved = from.existing();
    if (from.name() == null || to.name() == null) {
      throw new Errno("EBUSY");
    }
    Inode replaced = to.inode();
    if (replaced == moved) {
      return;
    }
    if (moved.isDirectory() && to.path().startsWith(from.path())) {
      throw new Errno("EINVAL");
    }
    Runnable restored = () -> {};
    if (replaced != null) {
      if (replaced.isDirectory() != moved.isDirectory()) {
        throw new Errno(replaced.isDirectory() ? "EISDIR" : "ENOTDIR");
      }
      if (!replaced.entries.isEmpty()) {
        throw new Errno("ENOTEMPTY");
      }
      restored = remove(to.directory(), to.name(), replaced);
    }
    take(from.directory(), from.name());
    put(to.directory(), to.name(), moved);
    int nested = moved.isDirectory() ? 1 : 0;
    from.directory().links -= nested;
    to.directory().links += nested;
    moved.changed = disk.now();
    Runnable undone = restored;
    disk.renamed(
        () -> {
          to.directory().entries.remove(to.name());
          from.directory().entries.put(from.name(), moved);
          to.directory().links -= nested;
          from.directory().links += nested;
          undone.run(); // with it: whoever looks finds the old or the new, never nothing
        });
    told(from.directory(), PathEvent.DISAPPEARED, moved, from.name());
    told(to.directory(), PathEvent.APPEARED, moved, to.name());
    if (moved.isDirectory()) {
      watcher.happened(moved, PathEvent.GONE, true, null);
    }
  }

  private void enter(Inode directory, String name, Inode made) {
    put(directory, name, made);
    directory.links += made.isDirectory() ? 1 : 0;
    disk.renamed(
        () -> {
          directory.entries.remove(name);
          directory.links -= made.isDirectory() ? 1 : 0;
        });
  }

  private void put(Inode directory, String name, Inode inode) {
    directory.entries.put(name, inode);
    directory.modified = disk.now();
    directory.changed = directory.modified;
  }

  private void take(Inode directory, String name) {
    directory.entries.remove(name);
    directory.modified = disk.now();
    directory.changed = directory.modified;
  }

  // ---- telling

  private void told(Inode directory, PathEvent event, Inode inode, String name) {
    watcher.happened(directory, event, inode.isDirectory(), name);
  }

  /// Something changed about what is at that place.
  void changed(Place place, PathEvent event) {
    Inode inode = place.inode();
    if (inode != null && place.name() != null) {
      told(place.directory(), event, inode, place.name());
    }
    if (inode != null && inode.isDirectory()) {
      watcher.happened(inode, event, true, null);
    }
  }
}
