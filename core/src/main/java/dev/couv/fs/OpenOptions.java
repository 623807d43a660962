// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.couv.world.AtOnce;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The JDK's options of opening, made complete: what they imply is said. Without any, a file is opened for
/// reading.
final class OpenOptions {
  static final Set<OpenOption> READING = Set.of(READ);

  /// Whatever is there, without waiting for anybody.
  static final Set<OpenOption> LOOKING = Set.of(READ, AtOnce.AT_ONCE);

  /// Over what is there.
  static final Set<OpenOption> REPLACING = Set.of(WRITE, CREATE, TRUNCATE_EXISTING);

  private OpenOptions() {}

  static Set<OpenOption> of(OpenOption... options) {
    Set<OpenOption> set = new HashSet<>(List.of(options));
    set.forEach(OpenOptions::check);
    if (set.contains(APPEND)) {
      if (set.contains(TRUNCATE_EXISTING)) {
        throw new IllegalArgumentException("APPEND and TRUNCATE_EXISTING exclude each other");
      }
      set.add(WRITE);
    }
    if (!set.contains(WRITE)) {
      set.add(READ);
      // As in the JDK, these mean nothing to one who only reads.
      List.of(TRUNCATE_EXISTING, CREATE, CREATE_NEW).forEach(set::remove);
    }
    return set;
  }

  /// For those who are about to write, and need not say so.
  static Set<OpenOption> ofWriting(OpenOption... options) {
    OpenOption[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = WRITE;
    if (List.of(options).contains(READ)) {
      throw new IllegalArgumentException("READ: this only writes");
    }
    return of(all);
  }

  private static void check(OpenOption option) {
    if (option == DELETE_ON_CLOSE) {
      throw new IllegalArgumentException(
          "DELETE_ON_CLOSE: remove the file when it is open, or after closing it");
    }
    if (option != LinkOption.NOFOLLOW_LINKS && !(option instanceof StandardOpenOption)) {
      throw new IllegalArgumentException("no option of opening a file: " + option);
    }
  }
}
