// SPDX-License-Identifier: Apache-2.0
package dev.couv.wire;

import dev.couv.loop.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Bytes of a file that can go to a socket inside the kernel: what [FileWriting#writeFrom] writes.
public interface FileSource {
  /// Returned by [#send] when the socket takes nothing now.
  long FULL = -1;

  /// What goes before the file's bytes; its position says how far it came.
  ByteBuffer head();

  /// Whether the next bytes can be moved without waiting for a disk.
  boolean isAtHand() throws IOException;

  /// Whether so much as a byte is, that will follow its [#head].
  boolean isFollowed() throws IOException;

  /// Lets the kernel move bytes to that socket, which does not block, on the calling thread. How many, 0 at the end, or
  /// [#FULL].
  long sendNow(int socket) throws IOException;

  /// Likewise on another thread, which is awaited.
  long send(int socket) throws IOException;

  /// Whether a thread is still inside [#send], which had to be left: it closes the socket's number then.
  boolean keepsSocket();

  /// The next few bytes, to be written in the ordinary way; null at the end. Nothing has gone yet.
  @Nullable ByteBuffer piece() throws IOException;

  /// That many bytes of the piece are the stream's, however its writing ended.
  void taken(long count);

  /// Awaits that on the stream's behalf: a turn to write, or room. The file may end it.
  void await(Operation room) throws IOException;
}
