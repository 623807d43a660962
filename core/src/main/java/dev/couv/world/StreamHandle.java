// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A stream of bytes from and to the outside of a loop. There is one reader at a time and one writer: the feature sees to
/// that.
public interface StreamHandle extends Handle {
  /// The read of this stream.
  Reading reading();

  /// Puts bytes back in front of all that was not read, for a reader that waits already, too. The buffer is the stream's from now
  /// on.
  void putBack(ByteBuffer bytes);

  /// Writes what is taken at once, and moves the positions by it. Whether all that was offered was taken, which need not be
  /// all there is: then it can be asked again.
  boolean writeNow(ByteBuffer... from) throws IOException;

  /// Writes what is taken at once, as [#writeNow] does, and more will follow at once: the system may keep what fills no packet until
  /// then.
  default boolean writeNowWithMore(ByteBuffer from) throws IOException {
    return writeNow(from);
  }

  /// Writes a piece of the rest, from memory of its own: the positions are behind it when it has begun. Or only waits until
  /// something would be taken at once.
  Delivery write(ByteBuffer... from) throws IOException;

  /// What is to be awaited before anything is written: what others began to write and left. Null if there is nothing.
  @Nullable Operation leftovers();

  /// Ends the stream for the other side, after all that was written; one that has only that direction is closed.
  Delivery shutdown();

  /// Bytes that were taken for writing and are not with the outside yet.
  long pending();

  /// Its number in the system, which stays its own; from now on no other stream takes it.
  default int descriptor() throws IOException {
    throw new UnsupportedOperationException(this + " has no descriptor");
  }

  /// Whether the system's calls on its descriptor wait.
  default void blocking(boolean on) throws IOException {
    throw new UnsupportedOperationException(this + " has no descriptor");
  }

  /// Its number, for a call that is made at once, and that never waits for the other side; negative if it has none such.
  default int number() throws IOException {
    return -1;
  }

  /// Another number for it, to be given back by [#release]; negative if it has none.
  default int duplicate() throws IOException {
    return -1;
  }

  /// Who wrote to one of its numbers was told of that: the outside may not tell it once more to who reads.
  default void writeFailed(IOException failure) {}

  /// Gives a number of [#duplicate] back. Any thread.
  default void release(int duplicate) {}
}
