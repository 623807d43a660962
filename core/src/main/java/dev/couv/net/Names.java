// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Event;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import dev.couv.world.Resolver;
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
/// one that no thread has taken up yet does not happen at all. A lookup has no time limit of its own but the resolver's,
/// after which the host is unknown; who wants another uses a deadline, as for everything that waits.
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

  /// The addresses of a host, with the port of a service: a name as in `/etc/services`, or a number from 0 to 65535. The
  /// host null is the loopback, and `*` the wildcard address to listen at.
  ///
  /// @throws java.net.UnknownHostException if there is no such host
  /// @throws dev.couv.error.UvException if there is no such service
  public static List<InetSocketAddress> resolve(@Nullable String host, @Nullable String service)
      throws IOException {
    return resolve(host, service, ResolveOptions.DEFAULT);
  }

  /// The addresses of a host, with that port. The host null is the loopback, and `*` the wildcard address to listen
  /// at.
  ///
  /// @throws IllegalArgumentException if the port is not from 0 to 65535
  /// @throws java.net.UnknownHostException if there is no such host
  public static List<InetSocketAddress> resolve(@Nullable String host, int port)
      throws IOException {
    return resolve(host, port, ResolveOptions.DEFAULT);
  }

  /// The addresses of a host that the options ask for, with that port. The host null is the loopback, and `*` the wildcard
  /// address to listen at.
  ///
  /// @throws IllegalArgumentException if the port is not from 0 to 65535
  /// @throws java.net.UnknownHostException if there is no such host, or it has no such address
  public static List<InetSocketAddress> resolve(
      @Nullable String host, int port, ResolveOptions options) throws IOException {
    return resolve(host, String.valueOf(Question.checkPort(port)), options);
  }

  /// The addresses of a host that the options ask for, with the ports of a service: a name as in `/etc/services`, or a
  /// number from 0 to 65535. The host null is the loopback, and `*` the wildcard address to listen at.
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
    return question.answer(Suspension.answer(resolver().addresses(loop, question.sought())));
  }

  /// The lookup of [#resolve(String, String, ResolveOptions)] as an event, for waiting on several things at once. It begins
  /// when it is first awaited, and its answer stays.
  public static Event<List<InetSocketAddress>> resolving(
      @Nullable String host, @Nullable String service, ResolveOptions options) {
    EventLoop loop = Suspension.loop("Names.resolving");
    Objects.requireNonNull(options, "options");
    return new LookupEvent(loop, resolver(), Question.of(host, service, options));
  }

  /// The lookup of [#resolve(String, String)] as an event, for waiting on several things at once. It begins when it is first
  /// awaited, and its answer stays.
  public static Event<List<InetSocketAddress>> resolving(
      @Nullable String host, @Nullable String service) {
    return resolving(host, service, ResolveOptions.DEFAULT);
  }

  /// The name of an address, and of the service of TCP at its port, which is the number if it has no name.
  ///
  /// @throws java.net.UnknownHostException if the address has no name
  public static HostService reverse(InetSocketAddress address) throws IOException {
    return reverse(address, SocketKind.STREAM);
  }

  /// The name of an address, and of the service of that kind at its port, which is the number if it has no name.
  ///
  /// @throws java.net.UnknownHostException if the address has no name
  public static HostService reverse(InetSocketAddress address, SocketKind kind) throws IOException {
    EventLoop loop = Suspension.loop("Names.reverse");
    SocketAddresses.checkResolved(address);
    return Suspension.answer(
        resolver().names(loop, address, kind.transport(), false, HostService::new));
  }

  /// The name of the service of TCP at a port; the number if it has none.
  public static String service(int port) throws IOException {
    return service(port, SocketKind.STREAM);
  }

  /// The name of the service of that kind at a port; the number if it has none.
  public static String service(int port, SocketKind kind) throws IOException {
    EventLoop loop = Suspension.loop("Names.service");
    InetSocketAddress at = new InetSocketAddress(ANY, port);
    return Suspension.answer(
        resolver().names(loop, at, kind.transport(), true, (_, service) -> service));
  }

  /// The name that a host has in the first place, if the one given is an alias. A literal is its own.
  ///
  /// @throws java.net.UnknownHostException if there is no such host
  public static String canonical(String host) throws IOException {
    EventLoop loop = Suspension.loop("Names.canonical");
    Objects.requireNonNull(host, "host");
    if (Question.of(host, null, ResolveOptions.DEFAULT).answer() != null) {
      Suspension.pass("Names.canonical");
      return host;
    }
    return Suspension.answer(resolver().canonical(loop, host));
  }

  private static Resolver resolver() {
    return Suspension.world().names();
  }
}
