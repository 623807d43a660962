// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.wire.Served;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a server has on one thread of its pool: a listener, if that thread listens, and connections. Confined to
/// the thread's loop, but for the count.
final class Station {
  private final Function<Station, Served<TcpStream>> serving;

  /// How many connections there are, or are on their way here. Any thread.
  private final AtomicInteger load = new AtomicInteger();

  private @Nullable TcpListener listener;
  private @Nullable Served<TcpStream> served;

  /// `serving` is asked, in a coroutine of the loop, when there is something to serve.
  Station(Function<Station, Served<TcpStream>> serving) {
    this.serving = serving;
  }

  /// So many connections more; returns how many there are now. Any thread.
  int counted(int change) {
    return load.addAndGet(change);
  }

  int load() {
    return load.get();
  }

  boolean listens() {
    return listener != null;
  }

  void listen(TcpListener newListener) {
    stopListening(); // the thread has left and come back meanwhile
    listener = newListener;
  }

  void stopListening() {
    TcpListener closing = listener;
    listener = null;
    if (closing != null) {
      closing.close();
    }
  }

  Served<TcpStream> served() {
    if (served == null) {
      served = serving.apply(this);
    }
    return served;
  }

  /// Whoever waits to accept sees whether there is room.
  void lookAgain() {
    if (served != null) {
      served.changed();
    }
  }

  /// Accepts no more, and ends the connections, which may take them a while.
  void end() {
    stopListening();
    Served<TcpStream> ending = served;
    served = null;
    if (ending != null) {
      ending.end();
    }
  }
}
