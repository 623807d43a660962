// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Slot;
import dev.couv.loop.Waiter;
import dev.couv.world.Request;
import dev.couv.world.TcpHandle;
import java.io.IOException;
import java.net.InetSocketAddress;

/// One of several attempts of a race: what connects, which waits for itself.
final class ConnectAttempt implements Waiter {
  /// Is told in a callback when an attempt that it began has ended.
  @FunctionalInterface
  interface Race {
    void ended(ConnectAttempt attempt);
  }

  private final Race race;
  private final InetSocketAddress to;
  private final Request<TcpHandle> connect;
  private final Slot slot;

  ConnectAttempt(Race race, EventLoop loop, InetSocketAddress to, Request<TcpHandle> connect) {
    this.race = race;
    this.to = to;
    this.connect = connect;
    this.slot = new Slot(loop);
  }

  /// Connects. False if the race will hear of it, true if it has ended at once.
  boolean begin() throws IOException {
    boolean waits = false;
    try {
      waits = !connect.start(this);
      return !waits;
    } catch (OutOfMemoryError exhausted) { // perhaps in a callback, which nothing may leave
      throw Failures.named("ENOMEM", "connect", SocketAddresses.text(to));
    } finally {
      if (!waits) {
        slot.settle();
      }
    }
  }

  /// When it has ended: the connection, which is the caller's, or why there is none.
  TcpHandle finish() throws IOException {
    return connect.finish();
  }

  /// Gives it up, while it waits.
  void leave() {
    connect.cancel();
    slot.settle();
  }

  @Override
  public Slot slot() {
    return slot;
  }

  @Override
  public void completed() {
    slot.settle();
    race.ended(this);
  }

  @Override
  public String toString() {
    return connect.toString();
  }
}
