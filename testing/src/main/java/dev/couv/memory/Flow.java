// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import java.util.ArrayDeque;

/// One way of a connection: what is on its way, in order. What cannot get there now is tried again, after longer and longer
/// pauses, and given up in the end, as TCP does.
final class Flow {
  private static final long FIRST_PAUSE = 200_000_000L;
  private static final long FIRST_SYN_PAUSE = 1_000_000_000L;
  private static final long LONGEST_PAUSE = 120_000_000_000L;
  private static final int TRIES = 15;
  private static final int SYN_TRIES = 6;

  private final Network network;
  private final End from;
  private final End to;
  private final ArrayDeque<Packet> packets = new ArrayDeque<>();
  private final ArrayDeque<Long> moments = new ArrayDeque<>();
  private boolean moving;
  private long last;
  private int tries;

  Flow(Network network, End from, End to) {
    this.network = network;
    this.from = from;
    this.to = to;
  }

  void send(Packet packet) {
    if (from.isCutOff()) {
      return;
    }
    Routes routes = network.routes();
    long latency = routes.latency(from.node(), to.node());
    if (routes.loses(from.node(), to.node())) {
      latency += FIRST_PAUSE;
    }
    last = Math.max(last, network.agenda().now() + latency);
    packets.add(packet);
    moments.add(last);
    move();
  }

  private void move() {
    Long next = moments.peek();
    if (!moving && next != null) {
      moving = true;
      long left = Math.max(0, next - network.agenda().now());
      if (left == 0 && packets.peek() instanceof Packet.Syn) {
        network
            .agenda()
            .soon(to.node(), this::arrive); // nobody is connected before he waits for it
      } else {
        network.agenda().later(left, to.node(), this::arrive);
      }
    }
  }

  private void arrive() {
    moving = false;
    Packet packet = packets.peek();
    if (packet == null) {
      return;
    }
    if (!network.routes().isOpen(from.node(), to.node())
        || !to.node().isUp()
        || !to.takes(packet)) {
      tryAgain(packet);
      return;
    }
    tries = 0;
    packets.remove();
    moments.remove();
    network.arrived(from.node(), to.node(), packet.kind(), packet.length(), packet.mark());
    to.arrived(packet);
    move();
  }

  private void tryAgain(Packet packet) {
    boolean syn = packet instanceof Packet.Syn;
    if (from.isCutOff() || packet instanceof Packet.Reset) {
      drop(); // nobody is left who would send it again
    } else if (++tries > (syn ? SYN_TRIES : TRIES)) {
      drop();
      from.gaveUp();
    } else {
      long pause = (syn ? FIRST_SYN_PAUSE : FIRST_PAUSE) << (tries - 1);
      moving = true;
      network.agenda().later(Math.min(pause, LONGEST_PAUSE), to.node(), this::arrive);
    }
  }

  /// What is on its way does not arrive.
  void drop() {
    packets.clear();
    moments.clear();
  }
}
