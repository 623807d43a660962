// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Event;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import dev.couv.uv.Layouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Looks names up: the addresses of a host, the name of an address, the ports of a service.
///
/// The system's resolver does it, on libuv's threads, of which lookups take at most half: file work goes
/// on. How many threads there are is set by `Loop.poolThreads`. Cancelling a lookup ends the wait at once;
/// one that no thread has taken up yet does not happen at all.
///
/// Literals, `localhost` and numbers as services are answered without asking anybody.
public final class Names {
  private static final InetAddress ANY = InetAddress.ofLiteral("0.0.0.0");

  private Names() {}

  /// The addresses of a host, with port 0, as the system orders them, each once; at least one.
  ///
  /// @throws java.net.UnknownHostException if it has none
  public static List<InetSocketAddress> resolve(String host) throws IOException {
    return resolve(Objects.requireNonNull(host, "host"), null, ResolveOptions.DEFAULT);
  }

  /// Likewise, with the port of a service: a name as in `/etc/services`, or a number from 0 to 65535.
  public static List<InetSocketAddress> resolve(@Nullable String host, @Nullable String service)
      throws IOException {
    return resolve(host, service, ResolveOptions.DEFAULT);
  }

  /// Likewise, with that port.
  ///
  /// @throws IllegalArgumentException if it is not from 0 to 65535
  public static List<InetSocketAddress> resolve(@Nullable String host, int port)
      throws IOException {
    return resolve(host, port, ResolveOptions.DEFAULT);
  }

  /// Likewise.
  public static List<InetSocketAddress> resolve(
      @Nullable String host, int port, ResolveOptions options) throws IOException {
    return resolve(host, String.valueOf(Question.checkPort(port)), options);
  }

  /// Likewise. The host null is the loopback, and `*` the wildcard address to listen at.
  ///
  /// @throws java.net.UnknownHostException if there is no such host, or it has no such address
  /// @throws dev.couv.error.UvException if there is no such service
  public static List<InetSocketAddress> resolve(
      @Nullable String host, @Nullable String service, ResolveOptions options) throws IOException {
    EventLoop loop = Suspension.loop("Names.resolve");
    Question question = Question.of(host, service, options);
    List<InetSocketAddress> known = question.answer();
    if (known != null) {
      Suspension.pass("Names.resolve");
      return known;
    }
    LookupOperation lookup = new LookupOperation(loop, question, false);
    Suspension.await(lookup);
    return lookup.finish();
  }

  /// The same as an event, for waiting on several things at once. The lookup begins when it is first
  /// awaited, and its answer stays.
  public static Event<List<InetSocketAddress>> resolving(
      @Nullable String host, @Nullable String service, ResolveOptions options) {
    EventLoop loop = Suspension.loop("Names.resolving");
    Objects.requireNonNull(options, "options");
    return new LookupEvent(loop, Question.of(host, service, options));
  }

  /// Likewise, with the default options.
  public static Event<List<InetSocketAddress>> resolving(
      @Nullable String host, @Nullable String service) {
    return resolving(host, service, ResolveOptions.DEFAULT);
  }

  /// The name of an address, and of the service at its port, which is the number if it has no name.
  ///
  /// @throws java.net.UnknownHostException if the address has no name
  public static HostService reverse(InetSocketAddress address) throws IOException {
    return reverse(address, SocketKind.STREAM);
  }

  /// Likewise, with the service of that kind.
  public static HostService reverse(InetSocketAddress address, SocketKind kind) throws IOException {
    EventLoop loop = Suspension.loop("Names.reverse");
    SocketAddresses.checkResolved(address);
    return name(loop, address, Layouts.NI_NAMEREQD | flags(kind));
  }

  /// The name of the service at a port; the number if it has none.
  public static String service(int port) throws IOException {
    return service(port, SocketKind.STREAM);
  }

  /// Likewise, of that kind.
  public static String service(int port, SocketKind kind) throws IOException {
    EventLoop loop = Suspension.loop("Names.service");
    InetSocketAddress address = new InetSocketAddress(ANY, port);
    return name(loop, address, Layouts.NI_NUMERICHOST | flags(kind)).service();
  }

  /// The name that a host has in the first place, if the one given is an alias. A literal is its own.
  ///
  /// @throws java.net.UnknownHostException if there is no such host
  public static String canonical(String host) throws IOException {
    EventLoop loop = Suspension.loop("Names.canonical");
    Objects.requireNonNull(host, "host");
    Question question = Question.of(host, null, ResolveOptions.DEFAULT);
    if (Question.literal(host) != null || Question.isLocalhost(host)) {
      Suspension.pass("Names.canonical");
      return host;
    }
    LookupOperation lookup = new LookupOperation(loop, question, true);
    Suspension.await(lookup);
    return lookup.finishCanonical();
  }

  private static HostService name(EventLoop loop, InetSocketAddress address, int flags)
      throws IOException {
    ReverseOperation reverse = new ReverseOperation(loop, address, flags);
    Suspension.await(reverse);
    return reverse.finish();
  }

  private static int flags(SocketKind kind) {
    return Objects.requireNonNull(kind, "kind") == SocketKind.DATAGRAM ? Layouts.NI_DGRAM : 0;
  }
}
