// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

/// What the way between two machines is like, asked anew for whatever goes there.
public interface Routes {
  /// Nothing is lost or takes time.
  Routes PERFECT = (_, _) -> 0;

  /// How long something takes now, in nanoseconds.
  long latency(Node from, Node to);

  /// Whether anything gets there at all.
  default boolean isOpen(Node from, Node to) {
    return true;
  }

  /// Whether this datagram gets lost; or this piece of a connection, which is then sent again.
  default boolean loses(Node from, Node to) {
    return false;
  }

  /// Whether this datagram comes twice.
  default boolean repeats(Node from, Node to) {
    return false;
  }
}
