// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.Failures;
import dev.couv.loop.ObjectOperation;
import dev.couv.uv.Memory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// Waiting for datagrams, as many as there are buffers for and as have come, but at least one.
final class ReceiveOperation extends ObjectOperation {
  private final UdpHandle socket;
  private final List<Landing> landings;
  private final List<Datagram> arrived;
  private int failure;

  ReceiveOperation(UdpHandle socket, List<Landing> landings) {
    super(socket);
    this.socket = socket;
    this.landings = landings;
    this.arrived = new ArrayList<>(1);
  }

  @Override
  protected boolean takeAtHand() {
    failure = socket.pollFailure();
    if (failure != 0) {
      return true;
    }
    for (KeptDatagram kept; !isFull() && (kept = socket.poll()) != null; ) {
      arrived(kept);
    }
    return !arrived.isEmpty();
  }

  boolean isFull() {
    return arrived.size() == landings.size();
  }

  boolean hasSome() {
    return !arrived.isEmpty();
  }

  /// A datagram is in native memory. In the callback.
  void arrived(InetSocketAddress from, long bytes, int length, boolean truncated) {
    Landing landing = landings.get(arrived.size());
    landing.land(bytes, length);
    int count = landing.fitting(length);
    arrived.add(new Datagram(from, count, truncated || count < length));
  }

  private void arrived(KeptDatagram kept) {
    int length = kept.bytes().length;
    long scratch = socket.loop().scratch().bufferAddress();
    Memory.copy(kept.bytes(), 0, scratch, length);
    arrived(kept.from(), scratch, length, kept.truncated());
  }

  void failed(int code) {
    failure = code;
  }

  @Override
  protected void giveBack() {
    for (int i = arrived.size() - 1; i >= 0; i--) {
      Datagram datagram = arrived.get(i);
      byte[] bytes = landings.get(i).takeBack(datagram.length());
      socket.putBack(new KeptDatagram(datagram.from(), bytes, datagram.truncated()));
    }
    arrived.clear();
    if (failure != 0) {
      socket.putBackFailure(failure);
    }
  }

  List<Datagram> finish() throws IOException {
    if (isClosed()) {
      throw Failures.closedWhile(socket, "receiving");
    }
    Failures.check(refusal(), "receive", socket);
    Failures.check(failure, "receive", socket);
    for (int i = 0; i < arrived.size(); i++) {
      if (!landings.get(i).isSound(arrived.get(i).length())) {
        giveBack();
        throw new IllegalStateException(
            "the buffer was changed or freed while "
                + socket
                + " received into it; what arrived is there for the next receive");
      }
    }
    for (int i = 0; i < arrived.size(); i++) {
      landings.get(i).settle(arrived.get(i).length());
    }
    return arrived;
  }

  @Override
  public String toString() {
    return "receive from " + socket;
  }
}
