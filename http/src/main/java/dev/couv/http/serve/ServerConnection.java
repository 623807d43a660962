// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

/// A connection, as its [Service] sees it. On the loop's thread.
public interface ServerConnection {
  /// The server ends: what is idle ends at once, and the answer that is on its way is the last.
  void drain();

  /// Is called about once in a second, with the loop's clock: to close what has been silent for too long. Throws nothing
  /// and waits for nothing.
  void look(long nanos);
}
