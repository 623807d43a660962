// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.UvErrors;
import dev.couv.world.AddressText;
import dev.couv.world.Request;
import dev.couv.world.TcpHandle;
import dev.couv.world.TcpListenHandle;
import dev.couv.world.TcpSockets;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// TCP of a machine in memory.
final class MemoryTcpSockets implements TcpSockets {
  private final MemoryProcess process;
  private final Node node;

  MemoryTcpSockets(MemoryProcess process) {
    this.process = process;
    node = process.node();
  }

  // ---- listening

  @Override
  public TcpListenHandle listen(EventLoop loop, InetSocketAddress at, ListenSettings settings)
      throws IOException {
    process.enter(loop);
    InetSocketAddress wide = widened(at);
    String subject = AddressText.of(wide);
    if (settings.ipv6Only() && at.getAddress() instanceof Inet4Address) {
      throw failure("EINVAL", "bind", subject);
    }
    if (!node.has(wide.getAddress())) {
      throw failure("EADDRNOTAVAIL", "bind", subject);
    }
    int port = at.getPort() == 0 ? node.listeners().choose() : at.getPort();
    InetSocketAddress bound = new InetSocketAddress(wide.getAddress(), port);
    if (port == 0 || !node.listeners().isFree(bound, settings.ipv6Only(), settings.reusePort())) {
      throw failure("EADDRINUSE", "listen", subject);
    }
    MemoryTcpListener listener = new MemoryTcpListener(process, loop, bound, settings);
    if (!process.isOver()) {
      node.listeners().add(listener);
    }
    return listener;
  }

  /// "Any address" is any of either family, as for the JDK.
  private static InetSocketAddress widened(InetSocketAddress at) {
    boolean any = at.getAddress() instanceof Inet4Address v4 && v4.isAnyLocalAddress();
    return any ? new InetSocketAddress(InetAddress.ofLiteral("::"), at.getPort()) : at;
  }

  static IOException failure(String code, String call, String subject) {
    return Failures.ofSocket(UvErrors.code(code), call, subject);
  }

  // ---- connecting

  @Override
  public Request<TcpHandle> connect(EventLoop loop, InetSocketAddress to, Settings settings) {
    return new Connect(loop, to, settings);
  }

  private final class Connect extends Answer<TcpHandle> {
    private final InetSocketAddress to;
    private final Settings settings;
    private @Nullable End made;

    Connect(EventLoop loop, InetSocketAddress to, Settings settings) {
      super(loop, "connect to " + AddressText.of(to));
      this.to = to;
      this.settings = settings;
    }

    @Override
    void ask() throws IOException {
      process.enter(loop());
      InetAddress there =
          to.getAddress().isAnyLocalAddress() ? node.towards(to.getAddress()) : to.getAddress();
      Node target = node.network().at(node, there);
      if (target == null) {
        throw failure("ENETUNREACH", "connect", AddressText.of(to));
      }
      InetSocketAddress from = from(there);
      InetSocketAddress at = new InetSocketAddress(there, to.getPort());
      End client = new End(node, false, (end, on) -> new MemoryTcp(end, on, from, to, settings));
      End server = new End(target, false, (end, on) -> new MemoryTcp(end, on, at, from, null));
      if (process.isOver()) {
        client.cutOff();
      }
      End.join(client, server);
      node.listeners().take(from.getPort());
      int life = node.life();
      client.whenGone(
          () -> {
            if (life == node.life()) {
              node.listeners().giveBack(from.getPort());
            }
          });
      made = client;
      client.connect(
          asked -> offer(target, at, asked),
          () -> node.network().agenda().soon(node, this::settled));
    }

    private InetSocketAddress from(InetAddress there) throws IOException {
      InetSocketAddress wanted = settings.from();
      InetAddress own = node.towards(there);
      int port = 0;
      if (wanted != null) {
        if (!node.has(wanted.getAddress())) {
          throw failure("EADDRNOTAVAIL", "bind", AddressText.of(wanted));
        }
        own = wanted.getAddress().isAnyLocalAddress() ? own : wanted.getAddress();
        port = wanted.getPort();
      }
      InetSocketAddress at = new InetSocketAddress(own, port);
      if (port != 0 && !node.listeners().isFree(at, false, false)) {
        throw failure("EADDRINUSE", "connect", AddressText.of(to));
      }
      port = port == 0 ? node.listeners().choose() : port;
      if (port == 0) {
        throw failure("EADDRNOTAVAIL", "connect", AddressText.of(to));
      }
      return new InetSocketAddress(own, port);
    }

    private void settled() {
      End end = made;
      if (end == null || isLeft()) {
        return;
      }
      String error = end.takeError();
      if (error != null) {
        made = null;
        end.released();
        failed(failure(error, "connect", AddressText.of(to)));
      } else {
        answered();
      }
    }

    @Override
    TcpHandle answer() {
      End end = made;
      if (end == null) {
        throw new AssertionError(this + " has no connection");
      }
      made = null;
      return (TcpHandle) end.handle(loop());
    }

    @Override
    void dropped() {
      End end = made;
      made = null;
      if (end != null) {
        end.released();
      }
    }
  }

  /// Whether somebody there takes the connection, or refuses it. False if as many wait as there may.
  private static boolean offer(Node target, InetSocketAddress at, End asked) {
    List<MemoryTcpListener> found = new ArrayList<>(1);
    for (MemoryTcpListener listener : target.listeners().at(at.getPort())) {
      if (Node.covers(listener.bound(), listener.isV6Only(), at.getAddress())) {
        found.add(listener);
      }
    }
    // One at the very address goes before those at any.
    if (found.stream().anyMatch(one -> one.bound().getAddress().equals(at.getAddress()))) {
      found.removeIf(one -> !one.bound().getAddress().equals(at.getAddress()));
    }
    if (found.isEmpty()) {
      asked.refuse();
      return true;
    }
    MemoryTcpListener chosen =
        found.size() == 1
            ? found.getFirst()
            : found.get(target.entropy().random().nextInt(found.size()));
    if (chosen.hasRoom()) {
      asked.accept();
      chosen.arrived(asked);
      return true;
    }
    return false;
  }
}
