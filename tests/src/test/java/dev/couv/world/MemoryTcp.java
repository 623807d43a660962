// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// TCP between the coroutines of one loop, in memory: the ports of a machine that has no network.
final class MemoryTcp implements TcpSockets {
  private static final int FIRST_PORT = 49152;

  private final Map<Integer, Listener> listeners = new HashMap<>();
  private int nextPort = FIRST_PORT;

  @Override
  public Request<TcpHandle> connect(EventLoop loop, InetSocketAddress to, Settings settings) {
    return new Connect(loop, to);
  }

  @Override
  public TcpListenHandle listen(EventLoop loop, InetSocketAddress at, ListenSettings settings)
      throws IOException {
    int port = at.getPort() == 0 ? nextPort++ : at.getPort();
    InetSocketAddress here = new InetSocketAddress(at.getAddress(), port);
    if (listeners.containsKey(port)) {
      throw new BindException("bind " + AddressText.of(here) + ": address already in use");
    }
    Listener listener = new Listener(loop, here, settings.backlog());
    listeners.put(port, listener);
    return listener;
  }

  /// Nobody has to wait for a connection here: it is made, or refused, at once.
  private final class Connect implements Request<TcpHandle> {
    private final EventLoop loop;
    private final InetSocketAddress to;
    private @Nullable MemoryStream made;

    Connect(EventLoop loop, InetSocketAddress to) {
      this.loop = loop;
      this.to = to;
    }

    @Override
    public boolean start(Waiter waiter) {
      Listener listener = listeners.get(to.getPort());
      if (listener != null && listener.hasRoom()) {
        InetSocketAddress from =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), nextPort++);
        made = MemoryStream.connected(loop, from, to);
        listener.arrived(made.peer());
      }
      return true;
    }

    @Override
    public void cancel() {}

    @Override
    public void surrender() {
      if (made != null) {
        made.close();
      }
    }

    @Override
    public TcpHandle finish() throws IOException {
      if (made == null) {
        String subject = AddressText.of(to);
        IOException refused = new ConnectException("connect " + subject + ": connection refused");
        refused.initCause(Failures.named("ECONNREFUSED", "connect", subject));
        throw refused;
      }
      return made;
    }

    @Override
    public String toString() {
      return "connect to " + AddressText.of(to);
    }
  }

  private final class Listener extends MemoryHandle implements TcpListenHandle {
    private final InetSocketAddress local;
    private final int backlog;
    private final ArrayDeque<MemoryStream> waiting = new ArrayDeque<>();

    Listener(EventLoop loop, InetSocketAddress local, int backlog) {
      super(loop);
      this.local = local;
      this.backlog = backlog;
    }

    boolean hasRoom() {
      return waiting.size() < backlog;
    }

    void arrived(MemoryStream connection) {
      waiting.add(connection);
      changes.changed();
    }

    @Override
    public Request<TcpHandle> accept() {
      return new Accept();
    }

    private final class Accept extends Wait implements Request<TcpHandle>, Operation {
      Accept() {
        super("accept from");
      }

      @Override
      boolean holds() {
        return !waiting.isEmpty();
      }

      @Override
      public TcpHandle finish() throws IOException {
        if (!isOpen()) {
          throw Failures.closedWhile(Listener.this, "accepting");
        }
        return waiting.remove();
      }
    }

    @Override
    void closing() {
      listeners.remove(local.getPort());
      waiting.forEach(MemoryStream::reset);
    }

    @Override
    public InetSocketAddress local() {
      return local;
    }

    @Override
    public String toString() {
      return "tcp listener " + AddressText.of(local);
    }
  }
}
