// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;

/// A program on its way to become a process: it was found, and is now given its descriptors. Whatever
/// fails before [#start] has returned, nothing runs.
///
/// Closing gives up what is the child's alone, which it has by then.
public interface Launch extends AutoCloseable {
  /// The child has there what this process has; nothing where this process was started without it.
  void inherit(int descriptor);

  /// The child has nothing to read there, and what it writes is gone.
  void discard(int descriptor);

  /// The child has there a descriptor that a stream or file of this process owns, and which stays open here.
  void give(int descriptor, int owned);

  /// The child has there what this process has under a number that the program knows, and which stays open here.
  void giveByNumber(int descriptor, int number) throws IOException;

  /// A pipe to the child at 0, from it elsewhere. Returns this side's end, which is the caller's to close; `name` is
  /// what it is in messages.
  StreamHandle pipe(int descriptor, String name) throws IOException;

  /// A connected local socket. Returns this side's end, a descriptor that is the caller's.
  int socket(int descriptor) throws IOException;

  /// Starts it; the listener will be told of its end. If this throws, nothing runs.
  ExitWatch start(ExitWatch.Listener listener) throws IOException;

  @Override
  void close();
}
