// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An open file. Its calls are its users: closed, it takes no new ones, ends what is awaited, and is given back with the
/// last of them, so no call ever meets another file.
///
/// Confined to a loop, but for what is done at once and for [#collected]. `toString` is its name, for failures.
public interface FileHandle extends AutoCloseable {
  /// A read of a regular file brings that much, if so much is asked for and there.
  int PIECE = 1 << 20;

  /// In place of an offset: where the last call ended that anybody made who shares the open file.
  long SHARED_PLACE = -1;

  /// The descriptor, for other calls of the system's; negative in a world that has none.
  int number();

  boolean isOpen();

  /// Whether a call cannot last for ever, and the file has places: no pipe, no terminal.
  boolean isRegular();

  // ---- its bytes

  /// Brings how many bytes were read into the buffer, which has room; -1 at the end. What comes from the shared place and
  /// finds nobody goes to `unclaimed`, on the loop's thread: it would not come again.
  FileCall<Integer> read(ByteBuffer into, long offset, Consumer<ByteBuffer> unclaimed);

  /// All bytes of a file that has so many, if the system has them in memory and can give them without waiting for
  /// anything: then no other thread is needed. Null if not, or if it has another number of bytes by now. At once.
  default byte @Nullable [] contentAtHand(@SuppressWarnings("unused") int size) {
    return null;
  }

  /// Brings how many bytes were taken from the buffers, which have some: at least one. Their positions tell, too, also if
  /// its caller leaves and waits for its landing.
  FileCall<Integer> write(ByteBuffer[] from, long offset);

  /// Brings how many bytes were copied to the shared place of the other file, inside the system; 0 at the end.
  FileCall<Long> copyTo(FileHandle target, long offset, long length);

  /// Makes the other file have the same bytes, in the same blocks until one of them is written to; or fails.
  FileCall<@Nullable Void> shareWith(FileHandle target);

  /// Brings where the next bytes are that are no hole; null if there are none behind that place. Where holes are not
  /// known, everything is bytes.
  FileCall<@Nullable DataRange> data(long from);

  /// A part of a file that is no hole; it may end behind the end of the file.
  record DataRange(long start, long end) {}

  /// The shared place. At once.
  long place() throws IOException;

  /// Moves the shared place. At once.
  void place(long offset) throws IOException;

  // ---- on its way to a socket

  /// Whether the system can send it to sockets by itself.
  boolean isSendable();

  /// Whether that part is in the system's memory, as far as is known, so that nothing waits for a disk that is done with it at once.
  default boolean isAtHand(long offset, long length) {
    return false;
  }

  /// Sends a part of it to that socket, which does not block; `receiver` is what failures call it.
  FileSend send(int socket, Object receiver, long offset, long length);

  // ---- about the file

  <T> FileCall<T> stat(FileFacts<T> facts);

  FileCall<@Nullable Void> truncate(long size);

  /// Brings everything to the device: the bytes, and what is known about the file if that is wanted.
  FileCall<@Nullable Void> sync(boolean onlyBytes);

  FileCall<@Nullable Void> chmod(int mode);

  FileCall<@Nullable Void> chown(long uid, long gid);

  /// Sets its times; null leaves one as it is. At once.
  void touch(@Nullable Instant accessed, @Nullable Instant modified) throws IOException;

  /// A path that leads to it whatever became of its own, as long as it is open; null if the system has no such paths.
  @Nullable Path path();

  // ---- the end

  /// Closes it, and ends what is awaited. Does nothing if it is closed already.
  @Override
  void close();

  /// Closes it, and ends what is awaited, and fails if the system answers now that it could not keep what was written.
  void closeWritten() throws IOException;

  /// Nobody can reach it any more: it is closed, if it was not. Any thread.
  void collected();
}
