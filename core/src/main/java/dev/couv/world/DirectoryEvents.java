// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What happens in directories, told on a loop's thread to those who listen to them. Confined to its loop, which has one
/// for all its members; open as long as it has some.
public interface DirectoryEvents {
  /// In place of a number: there is no directory, or something else is at the path.
  int ABSENT = Integer.MIN_VALUE;

  /// Is told of one directory; no user code.
  @FunctionalInterface
  interface Listener {
    /// `name` is null if the event is about the directory itself; `ofDirectory` tells what the name stands for.
    void happened(PathEvent event, boolean ofDirectory, @Nullable Path name);
  }

  /// Whoever shares it.
  @FunctionalInterface
  interface Member {
    /// Events were lost, and nobody knows which.
    void lost();
  }

  /// What somebody listens for.
  enum Interest {
    /// Everything; not by way of a link.
    ALL,
    /// Names that come and go, and the directory itself.
    NAMES
  }

  /// The number of the directory, which is the same whoever asks; [#ABSENT], or another negative code if the system refuses.
  int listen(Path directory, Interest interest, Listener listener);

  /// Tells that one nothing more about that number.
  void unlisten(int number, Listener listener);

  /// A mark behind everything that has happened by now.
  long mark();

  /// Whether everything before the mark was told.
  boolean hasTold(long mark);

  boolean isOpen();

  /// The member is told nothing more; the last one to leave closes it.
  void leave(Member member);
}
