// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.memory.MemoryUdp.Letter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Brings datagrams from socket to socket: each by itself, so that they may overtake each other, get lost or come twice.
final class Post {
  private Post() {}

  /// Sends it on its way. False if there is no such place.
  static boolean send(MemoryUdp from, Letter letter, InetSocketAddress to) {
    Node node = from.node();
    InetAddress there = to.getAddress();
    if (from.isCutOff()) {
      return true;
    }
    if (there.isMulticastAddress() || Network.isBroadcast(there)) {
      List<Node> targets = there.isLoopbackAddress() ? List.of(node) : node.network().everybody();
      for (Node target : targets) {
        if (target != node || !there.isMulticastAddress() || from.loopsBack()) {
          send(from, target, letter, to);
        }
      }
      return true;
    }
    Node target = node.network().at(node, there);
    if (target == null) {
      return false;
    }
    InetSocketAddress concrete =
        there.isAnyLocalAddress() ? new InetSocketAddress(node.towards(there), to.getPort()) : to;
    send(from, target, letter, concrete);
    return true;
  }

  private static void send(MemoryUdp from, Node target, Letter letter, InetSocketAddress to) {
    Network network = from.node().network();
    Routes routes = network.routes();
    int copies =
        routes.loses(from.node(), target) ? 0 : routes.repeats(from.node(), target) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      network
          .agenda()
          .later(
              routes.latency(from.node(), target), target, () -> arrive(from, target, letter, to));
    }
  }

  private static void arrive(MemoryUdp from, Node target, Letter letter, InetSocketAddress to) {
    Network network = target.network();
    if (!target.isUp() || !network.routes().isOpen(from.node(), target)) {
      return;
    }
    network.arrived(
        from.node(), target, "Datagram", letter.bytes().length, Arrays.hashCode(letter.bytes()));
    List<MemoryUdp> found = new ArrayList<>(1);
    for (MemoryUdp socket : target.datagrams().at(to.getPort())) {
      if (socket.isFor(letter.from(), to)) {
        found.add(socket);
      }
    }
    boolean toMany = to.getAddress().isMulticastAddress() || Network.isBroadcast(to.getAddress());
    if (toMany) {
      found.forEach(socket -> socket.arrived(letter));
    } else if (found.isEmpty()) {
      network
          .agenda()
          .later(
              network.routes().latency(target, from.node()), from.node(), () -> from.refusedBy(to));
    } else {
      best(found).arrived(letter);
    }
  }

  /// The one that fits best; of several the last that came.
  private static MemoryUdp best(List<MemoryUdp> found) {
    MemoryUdp best = found.getFirst();
    for (MemoryUdp socket : found) {
      if (socket.fitness() >= best.fitness()) {
        best = socket;
      }
    }
    return best;
  }
}
