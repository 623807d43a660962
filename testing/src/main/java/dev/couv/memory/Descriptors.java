// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.Failures;
import java.io.IOException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The numbers by which a process in memory has what it was given at its start, and by which it gives others what it has.
/// They mean nothing to anybody else.
final class Descriptors {
  private static final int FIRST = 3;

  /// What a number stands for.
  sealed interface Target {
    /// Somebody else has it, too.
    void shared();

    void released();
  }

  /// One end of a connection, or of a pipe.
  record Socket(End end) implements Target {
    @Override
    public void shared() {
      end.shared();
    }

    @Override
    public void released() {
      end.released();
    }
  }

  /// A file, with its place; or nothing at all to read and to keep.
  record Opened(Description file) implements Target {
    @Override
    public void shared() {}

    @Override
    public void released() {}
  }

  /// `owned` unless it is a stream's or a file's, which gives it back.
  private record Entry(Target target, boolean owned) {}

  private final TreeMap<Integer, Entry> entries = new TreeMap<>();

  /// The lowest that is free, and no standard one.
  private int free() {
    int number = FIRST;
    while (entries.containsKey(number)) {
      number++;
    }
    return number;
  }

  /// The target is this table's from now on.
  void put(int number, Target target) {
    entries.put(number, new Entry(target, true));
  }

  /// The target is this table's from now on, and has that number.
  int add(Target target) {
    int number = free();
    put(number, target);
    return number;
  }

  /// A number for what somebody else owns, until he [gives it back][#giveBack].
  int lend(Target target) {
    int number = free();
    entries.put(number, new Entry(target, false));
    return number;
  }

  void giveBack(int number) {
    entries.remove(number);
  }

  @Nullable Target at(int number) {
    Entry entry = entries.get(number);
    return entry == null ? null : entry.target();
  }

  /// What is there, which is the caller's from now on; null if nothing is.
  ///
  /// @throws IllegalArgumentException if it is a stream's or a file's
  private @Nullable Target take(int number) {
    Entry entry = entries.get(number);
    if (entry != null && !entry.owned()) {
      throw new IllegalArgumentException("descriptor " + number + " belongs to a stream already");
    }
    entries.remove(number);
    return entry == null ? null : entry.target();
  }

  /// A socket that is there, which is the caller's from now on.
  End takeSocket(int number) throws IOException {
    Target taken = take(number);
    if (taken instanceof Socket socket) {
      return socket.end();
    }
    throw Failures.named(taken == null ? "EBADF" : "EINVAL", "open", "a local socket");
  }

  /// A file that is there, which is the caller's from now on.
  ///
  /// @throws UnsupportedOperationException if there is none
  Description takeFile(int number, String name) {
    Target taken = take(number);
    if (taken instanceof Opened opened) {
      return opened.file();
    }
    if (taken != null) {
      taken.released();
    }
    throw new UnsupportedOperationException(
        "the process in memory has no file at its descriptor " + number + ": " + name);
  }

  /// Its process has ended.
  void close() {
    TreeMap<Integer, Entry> closing = new TreeMap<>(entries);
    entries.clear();
    for (Entry entry : closing.values()) {
      if (entry.owned()) {
        entry.target().released();
      }
    }
  }

  /// Its machine has lost its power.
  void forget() {
    entries.clear();
  }
}
