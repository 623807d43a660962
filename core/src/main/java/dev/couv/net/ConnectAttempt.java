// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Slot;
import dev.couv.loop.Waiter;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// One of several attempts of a race: a stream and the request that connects it, which waits for
/// itself. Ownership: the stream is the attempt's until it is the race's winner; every other way out
/// closes it.
final class ConnectAttempt implements Waiter {
  private final ConnectRace race;
  private final EventLoop loop;
  private final InetSocketAddress to;
  private final Slot slot;

  private @Nullable TcpStream stream;
  private @Nullable ConnectOperation connect;

  ConnectAttempt(ConnectRace race, EventLoop loop, InetSocketAddress to) {
    this.race = race;
    this.loop = loop;
    this.to = to;
    this.slot = new Slot(loop);
  }

  /// Connects. The failure if that was refused at once, else null: then the race hears of it.
  @Nullable IOException begin(TcpOptions options) {
    try {
      TcpStream opened = TcpStream.open(loop, to, options);
      stream = opened;
      ConnectOperation started = new ConnectOperation(opened, to);
      if (started.start(this)) {
        started.finish();
        throw new AssertionError(started + " has ended without a result");
      }
      connect = started;
      return null;
    } catch (IOException failed) {
      leave();
      return failed;
    } catch (OutOfMemoryError exhausted) { // perhaps in a callback, which nothing may leave
      leave();
      return Failures.of(UvErrors.UV_ENOMEM, "connect", SocketAddresses.text(to));
    }
  }

  /// Gives it up.
  void leave() {
    ConnectOperation left = connect;
    connect = null;
    if (left != null) {
      left.cancel();
    }
    TcpStream closed = stream;
    stream = null;
    if (closed != null) {
      closed.close();
    }
    slot.settle();
  }

  @Override
  public Slot slot() {
    return slot;
  }

  @Override
  public void completed() {
    ConnectOperation ended = connect;
    TcpStream connected = stream;
    connect = null;
    if (ended == null || connected == null) {
      throw new AssertionError("a connection nobody asked for");
    }
    slot.settle();
    try {
      ended.finish();
      stream = null;
      race.won(this, connected);
    } catch (IOException failed) {
      leave();
      race.lost(this, failed);
    }
  }

  @Override
  public String toString() {
    return "connect to " + SocketAddresses.text(to);
  }
}
