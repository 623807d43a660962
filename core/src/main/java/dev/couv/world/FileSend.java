// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

/// A part of a file on its way to a socket. Brings how many bytes went, 0 at the end, or one of the two reasons why none did.
///
/// Whoever leaves it waits for its landing; if he cannot, the thread that is inside has the socket.
public interface FileSend extends FileCall<Long> {
  /// The socket takes nothing now.
  long FULL = -1;

  /// The system cannot send this file.
  long UNABLE = -2;

  /// How many bytes went, as far as is known; also if its caller has left.
  long sent();

  /// The last that its caller does, however it ended: whether a thread is still inside. Then that closes the socket's
  /// number, else nobody will.
  boolean keepsSocket();
}
