// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.nio.file.Path;

/// A directory that is open to be listed, by one user at a time: by coroutines of the loop it was opened for, or by
/// calls that block.
public interface DirHandle {
  /// Is told of an entry; quick, no user code.
  @FunctionalInterface
  interface Entries {
    /// The mode has the type alone, or is 0 if that is not known.
    void entry(Path name, int mode);
  }

  /// Tells of some more entries, without `.` and `..`, and brings how many; 0 at the end. They are told also when whoever
  /// awaited them has left: a read that was left is the directory's, and the next begins when it has landed.
  FileCall<Integer> read(Entries told);

  /// Whether it is known that the next read would bring none: then there must not be one.
  default boolean isAtEnd() {
    return false;
  }

  /// Closes it, and ends what is awaited; the rest is freed when that has landed. Does nothing if it is closed already.
  void close();

  /// Nobody can reach it any more: it is closed, if it was not. Any thread.
  void collected();
}
