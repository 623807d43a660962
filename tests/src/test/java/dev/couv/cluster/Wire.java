// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.sync.Gate;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;

/// The link between a process and its server, which can be cut, held up and mended, and on which
/// connections overtake each other: a proxy on Couv.
@SuppressWarnings("try") // its end may wait
final class Wire implements AutoCloseable {
  private final int port;
  private final TcpListener listener;
  private final Scope scope = Scope.apart();
  private final List<TcpStream> open = new ArrayList<>();
  private final Gate passing = new Gate(true);
  private final Gate answering = new Gate(true);
  private final Deque<TcpStream> waiting = new ArrayDeque<>();
  private Duration delay = Duration.ZERO;
  private RandomGenerator shuffling;
  private int reversing;
  private boolean cut;

  private Wire(int port, TcpListener listener) {
    this.port = port;
    this.listener = listener;
  }

  static Wire to(NatsServer server) throws Exception {
    Wire wire = new Wire(server.port(), Tcp.listen(new InetSocketAddress("127.0.0.1", 0)));
    wire.scope.spawn(wire::accept);
    return wire;
  }

  String url() {
    return "nats://127.0.0.1:" + listener.local().getPort();
  }

  private void accept() {
    try {
      while (true) {
        TcpStream client = listener.accept();
        if (cut) {
          client.close();
        } else if (reversing > 0) {
          waiting.push(client);
          if (waiting.size() == reversing) {
            letWaitingGo();
          }
        } else {
          scope.spawn(() -> carry(client));
        }
      }
    } catch (IOException closed) {
      // that is the end
    }
  }

  private void carry(TcpStream client) {
    open.add(client);
    try (client;
        TcpStream server = Tcp.connect(new InetSocketAddress("127.0.0.1", port))) {
      open.add(server);
      Coroutine<Void> back = Coroutine.spawn(() -> pump(server, client, answering));
      pump(client, server, passing);
      back.await();
    } catch (Exception broken) {
      // the other side sees the end
    } finally {
      open.remove(client);
    }
  }

  private void pump(TcpStream from, TcpStream to, Gate gate) {
    try {
      for (ByteBuffer bytes; (bytes = from.read()) != null; ) {
        passing.await();
        gate.await();
        if (!delay.isZero()) {
          Time.sleep(
              shuffling == null ? delay : Duration.ofNanos(shuffling.nextLong(delay.toNanos())));
        }
        to.write(bytes);
      }
    } catch (IOException broken) {
      // the other side sees the end
    }
    from.close();
    to.close();
  }

  /// Every connection ends, and none comes about, until it is mended.
  void cut() {
    cut = true;
    List.copyOf(open).forEach(TcpStream::close);
    open.clear();
  }

  void mend() {
    cut = false;
  }

  /// Connections stay, and nothing gets through.
  void hold() {
    passing.close();
  }

  /// Connections stay, and the server hears what is said; nothing comes back from it.
  void holdAnswers() {
    answering.close();
  }

  void letGo() {
    passing.open();
    answering.open();
  }

  /// Each piece takes so much longer.
  void delay(Duration newDelay) {
    delay = newDelay;
    shuffling = null;
  }

  /// Each piece takes longer, up to so much, and every connection has a chance of its own: what was
  /// sent later on one comes before what was sent earlier on another.
  void shuffle(Duration most, RandomGenerator chance) {
    delay = most;
    shuffling = chance;
  }

  /// The next connections, so many, come about when all of them are there, the last one first.
  void reverse(int count) {
    reversing = count;
  }

  /// Those that wait because of [#reverse].
  int waiting() {
    return waiting.size();
  }

  private void letWaitingGo() {
    reversing = 0;
    while (!waiting.isEmpty()) {
      TcpStream client = waiting.pop();
      scope.spawn(() -> carry(client));
    }
  }

  @Override
  public void close() throws Exception {
    letGo();
    waiting.forEach(TcpStream::close);
    cut();
    listener.close();
    scope.cancel();
    scope.close();
  }
}
