// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.TimerEntry;
import dev.couv.loop.WaitOperation;
import dev.couv.world.AddressText;
import dev.couv.world.TcpHandle;
import dev.couv.world.TcpSockets;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Waiting for the first of several addresses of a host to be connected: "Happy Eyeballs", RFC 8305.
///
/// Addresses are tried in their order, but families take turns. An attempt that fails makes place for
/// the next at once; one that takes longer than the delay gets the next beside it. The first that is
/// connected wins, and the others are closed.
final class ConnectRace extends WaitOperation {
  private final EventLoop loop;
  private final TcpSockets sockets;
  private final String host;
  private final TcpOptions options;
  private final ArrayDeque<InetSocketAddress> untried;
  private final List<Attempt<TcpHandle>> running = new ArrayList<>();
  private final List<IOException> failures = new ArrayList<>();
  private final TimerEntry delay = TimerEntry.of(this::delayed);

  private @Nullable TcpHandle winner;

  /// At least one address.
  ConnectRace(
      EventLoop loop,
      TcpSockets sockets,
      String host,
      List<InetSocketAddress> addresses,
      TcpOptions options) {
    this.loop = loop;
    this.sockets = sockets;
    this.host = host;
    this.options = options;
    this.untried = new ArrayDeque<>(interleaved(addresses));
  }

  /// The addresses in their order, but of both families in turn, beginning with that of the first.
  static List<InetSocketAddress> interleaved(List<InetSocketAddress> addresses) {
    List<InetSocketAddress> mixed = new ArrayList<>(addresses);
    boolean first = isV6(addresses.getFirst());
    mixed.removeIf(address -> isV6(address) == first);
    int place = 0;
    for (InetSocketAddress address : addresses) {
      if (isV6(address) == first) {
        mixed.add(Math.min(place, mixed.size()), address);
        place += 2;
      }
    }
    return mixed;
  }

  private static boolean isV6(InetSocketAddress address) {
    return address.getAddress() instanceof Inet6Address;
  }

  @Override
  protected boolean enter() {
    tryNext();
    return isOver();
  }

  private boolean isOver() {
    return winner != null || (running.isEmpty() && untried.isEmpty());
  }

  /// Begins with the next address, and with those after it for as long as they are refused at once.
  private void tryNext() {
    boolean begun = false;
    for (InetSocketAddress to; !begun && (to = untried.poll()) != null; ) {
      Attempt<TcpHandle> attempt =
          new Attempt<>(loop, sockets.connect(loop, to, options.settings()), this::ended);
      try {
        if (attempt.begin()) {
          winner = attempt.finish();
          leave();
        } else {
          running.add(attempt);
        }
        begun = true;
      } catch (IOException refused) {
        failures.add(refused);
      } catch (OutOfMemoryError exhausted) { // perhaps in a callback, which nothing may leave
        failures.add(Failures.named("ENOMEM", "connect", AddressText.of(to)));
      }
    }
    loop.timers().remove(delay);
    if (!untried.isEmpty()) {
      loop.timers().add(delay, loop.deadline(options.attemptDelay()));
    }
  }

  private void delayed() {
    tryNext();
    if (isOver()) {
      told();
    }
  }

  /// An attempt is connected, or has failed. In the callback.
  private void ended(Attempt<TcpHandle> attempt) {
    running.remove(attempt);
    try {
      winner = attempt.finish();
      leave();
    } catch (IOException failed) {
      failures.add(failed);
      tryNext();
    }
    if (isOver()) {
      told();
    }
  }

  /// Gives up all attempts that run.
  @Override
  protected void leave() {
    loop.timers().remove(delay);
    untried.clear();
    running.forEach(Attempt::leave);
    running.clear();
  }

  @Override
  public void surrender() {
    TcpHandle unwanted = winner;
    winner = null;
    if (unwanted != null) {
      unwanted.close();
    }
  }

  /// The connection that won, or the failure of the address that came furthest, with those of the others.
  TcpHandle finish() throws IOException {
    TcpHandle connected = winner;
    if (connected != null) {
      return connected;
    }
    IOException told =
        failures.stream()
            .filter(ConnectException.class::isInstance) // somebody was there
            .findFirst()
            .orElseGet(failures::getFirst);
    failures.stream().filter(other -> other != told).forEach(told::addSuppressed);
    throw told;
  }

  @Override
  public String toString() {
    return "connect to " + host;
  }
}
