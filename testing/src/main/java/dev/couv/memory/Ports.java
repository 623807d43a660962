// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The ports of one protocol on one machine, and what is at each.
final class Ports<S extends Ports.Bound> {
  private static final int FIRST_CHOSEN = 32768;
  private static final int LAST_CHOSEN = 60999;

  /// What is at a port.
  interface Bound {
    InetSocketAddress bound();

    boolean isV6Only();

    /// Whether others that say so, too, may be at the same place.
    boolean shares();
  }

  private final Map<Integer, List<S>> sockets = new LinkedHashMap<>();

  /// Ports that connections have, which nobody is given.
  private final Map<Integer, Integer> taken = new LinkedHashMap<>();

  private int next = FIRST_CHOSEN;

  /// A port that nobody has.
  int choose() {
    for (int tries = FIRST_CHOSEN; tries <= LAST_CHOSEN; tries++) {
      int port = next;
      next = port == LAST_CHOSEN ? FIRST_CHOSEN : port + 1;
      if (!sockets.containsKey(port) && !taken.containsKey(port)) {
        return port;
      }
    }
    return 0;
  }

  /// Whether a socket can be there besides those that are.
  boolean isFree(InetSocketAddress at, boolean v6Only, boolean shares) {
    for (S other : sockets.getOrDefault(at.getPort(), List.of())) {
      if (overlap(other.bound(), other.isV6Only(), at, v6Only) && !(shares && other.shares())) {
        return false;
      }
    }
    return true;
  }

  private static boolean overlap(
      InetSocketAddress one, boolean oneV6Only, InetSocketAddress two, boolean twoV6Only) {
    if (one.getAddress().isAnyLocalAddress() && two.getAddress().isAnyLocalAddress()) {
      return isV6(one) == isV6(two) || !(isV6(one) ? oneV6Only : twoV6Only);
    }
    return Node.covers(one, oneV6Only, two.getAddress())
        || Node.covers(two, twoV6Only, one.getAddress());
  }

  private static boolean isV6(InetSocketAddress address) {
    return address.getAddress() instanceof Inet6Address;
  }

  void add(S socket) {
    sockets.computeIfAbsent(socket.bound().getPort(), _ -> new ArrayList<>(1)).add(socket);
  }

  void remove(S socket) {
    List<S> there = sockets.get(socket.bound().getPort());
    if (there != null && there.remove(socket) && there.isEmpty()) {
      sockets.remove(socket.bound().getPort());
    }
  }

  /// Those at that port, in the order they came.
  List<S> at(int port) {
    return sockets.getOrDefault(port, List.of());
  }

  void take(int port) {
    taken.merge(port, 1, Integer::sum);
  }

  void giveBack(int port) {
    taken.computeIfPresent(port, (_, count) -> count == 1 ? null : count - 1);
  }

  void clear() {
    sockets.clear();
    taken.clear();
  }
}
