// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.ObjectOperation;
import dev.couv.uv.Memory;
import dev.couv.world.UdpHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/// Waiting for datagrams, as many as there are buffers for and as have come, but at least one.
final class ReceiveOperation extends ObjectOperation implements UdpHandle.Receipt {
  private final HostUdp socket;
  private final Landing[] landings;
  private int arrived;
  private int failure;

  ReceiveOperation(HostUdp socket, ByteBuffer... into) {
    super(socket);
    this.socket = socket;
    this.landings = new Landing[into.length];
    for (int i = 0; i < into.length; i++) {
      landings[i] = new Landing(into[i]);
    }
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
    return hasSome();
  }

  boolean isFull() {
    return arrived == landings.length;
  }

  boolean hasSome() {
    return arrived > 0;
  }

  /// A datagram is in native memory. In the callback.
  void arrived(InetSocketAddress from, long bytes, int length, boolean truncated) {
    landings[arrived].land(from, bytes, length, truncated);
    arrived++;
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
    while (arrived > 0) {
      arrived--;
      socket.putBack(landings[arrived].takeBack());
    }
    if (failure != 0) {
      socket.putBackFailure(failure);
    }
  }

  @Override
  public int finish() throws IOException {
    if (isClosed()) {
      throw Failures.closedWhile(socket, "receiving");
    }
    Failures.check(refusal(), "receive", socket);
    Failures.check(failure, "receive", socket);
    for (int i = 0; i < arrived; i++) {
      if (!landings[i].isSound()) {
        giveBack();
        throw new IllegalStateException(
            "the buffer was changed or freed while "
                + socket
                + " received into it; what arrived is there for the next receive");
      }
    }
    for (int i = 0; i < arrived; i++) {
      landings[i].settle();
    }
    return arrived;
  }

  @Override
  public <T> T datagram(int index, UdpHandle.Arrived<T> as) {
    return landings[index].read(as);
  }

  @Override
  public String toString() {
    return "receive from " + socket;
  }
}
