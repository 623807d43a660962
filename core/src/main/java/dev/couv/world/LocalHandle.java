// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A connection over a local socket, or the end of a pipe. Other sockets can be passed through it.
public interface LocalHandle extends SocketHandle {
  /// The name of this end.
  LocalName local() throws IOException;

  /// The name of the other end.
  LocalName remote() throws IOException;

  /// Whether sockets that are passed are kept, to be taken; those that were are closed when they are not any more.
  void acceptSockets(boolean on) throws IOException;

  /// Whether [#takeSocket] has something to tell, and no bytes are at hand that a read took and its coroutine did not.
  boolean isSocketNext();

  /// The socket that has waited longest, a [TcpHandle] or a [LocalHandle], which is the caller's from now on; null if there is
  /// none.
  @Nullable SocketHandle takeSocket() throws IOException;

  /// Writes what is taken at once, and a copy of the socket with it. False if nothing was.
  boolean passNow(ByteBuffer from, Handle socket) throws IOException;

  /// Writes a piece of the bytes as [#write] does, and a copy of the socket with it. Who closes the socket meanwhile closes
  /// his own.
  Delivery pass(ByteBuffer from, Handle socket);

  /// Takes the connection off the loop, with what was read and not taken, and closes this. With the turn to write, and
  /// nothing left to be written.
  LooseStream<LocalHandle> detach() throws IOException;

  /// Makes a listener of a socket that [#isListening], and closes this.
  LocalListenHandle listen(int backlog) throws IOException;
}
