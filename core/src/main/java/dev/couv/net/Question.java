// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.strand.Suspension;
import dev.couv.world.Resolver.Sought;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What is to be looked up, and how much of the answer is known without asking anybody: literals,
/// `localhost` and what ends in `.localhost` (RFC 6761), the loopback (no host), the wildcard (`*`), and
/// ports that are numbers.
///
/// `addresses` is null if the host must be asked for, `port` negative if the service must be.
record Question(
    @Nullable String host,
    @Nullable String service,
    ResolveOptions options,
    @Nullable List<InetAddress> addresses,
    int port) {
  private static final int UNKNOWN_PORT = -1;

  /// What the name of a service has at least one of (RFC 6335).
  private static final Pattern LETTER = Pattern.compile("[A-Za-z]");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
  private static final byte[] LOOPBACK6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

  static Question of(@Nullable String host, @Nullable String service, ResolveOptions options) {
    if (host == null && service == null) {
      throw new IllegalArgumentException("a host or a service is needed");
    }
    if (host != null && host.equals("*") && service == null) {
      throw new IllegalArgumentException("a service is needed for the host *");
    }
    checkText(host, "host");
    checkText(service, "service");
    return new Question(host, service, options, known(host, options), port(service));
  }

  /// The whole answer, or null if somebody must be asked.
  @Nullable List<InetSocketAddress> answer() {
    List<InetAddress> hosts = addresses;
    return hosts == null || port == UNKNOWN_PORT ? null : combined(hosts, Set.of(port));
  }

  /// What must be asked for: the host, the service or both.
  Sought sought() {
    boolean isHostKnown = addresses != null;
    return new Sought(
        isHostKnown ? null : host,
        port == UNKNOWN_PORT ? service : null,
        isHostKnown ? null : options.family(), // only the port is in question
        options.kind().transport(),
        options.numeric(),
        toString());
  }

  /// The whole answer, with what was found.
  List<InetSocketAddress> answer(List<InetSocketAddress> found) {
    List<InetAddress> hosts = addresses;
    if (hosts != null) {
      Set<Integer> ports = new LinkedHashSet<>();
      found.forEach(each -> ports.add(each.getPort()));
      return combined(hosts, ports);
    }
    Set<InetSocketAddress> all = new LinkedHashSet<>();
    for (InetSocketAddress each : found) {
      all.add(
          new InetSocketAddress(
              named(each.getAddress()), port == UNKNOWN_PORT ? each.getPort() : port));
    }
    return List.copyOf(all);
  }

  private static List<InetSocketAddress> combined(List<InetAddress> hosts, Set<Integer> ports) {
    Set<InetSocketAddress> all = new LinkedHashSet<>();
    for (InetAddress address : hosts) {
      for (int each : ports) {
        all.add(new InetSocketAddress(address, each));
      }
    }
    return List.copyOf(all);
  }

  /// With the name it was found by, as the JDK's own.
  private InetAddress named(InetAddress found) {
    return found instanceof Inet6Address v6 && v6.getScopeId() != 0
        ? found
        : address(host, found.getAddress());
  }

  private static @Nullable List<InetAddress> known(@Nullable String host, ResolveOptions options) {
    if (host == null) {
      return local(null, false, options);
    }
    if (host.equals("*")) {
      return local(null, true, options);
    }
    if (isLocalhost(host) && !options.numeric()) {
      return local(host, false, options);
    }
    InetAddress literal = literal(host);
    return literal != null && options.wants(SocketAddresses.family(literal))
        ? List.of(literal)
        : null;
  }

  private static boolean isLocalhost(String host) {
    String name = "." + host.toLowerCase(Locale.ROOT);
    return name.endsWith(".localhost") || name.endsWith(".localhost.");
  }

  private static @Nullable InetAddress literal(String host) {
    char first = host.charAt(0);
    boolean likely = host.indexOf(':') >= 0 || (first >= '0' && first <= '9');
    if (!likely) {
      return null; // the usual case, without the price of an exception
    }
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException notALiteral) {
      return null;
    }
  }

  /// IPv4 first, as the JDK does. IPv6 if it was asked for, or if the machine has it.
  private static List<InetAddress> local(
      @Nullable String name, boolean wildcard, ResolveOptions options) {
    List<InetAddress> found = new ArrayList<>(2);
    if (options.wants(StandardProtocolFamily.INET)) {
      found.add(address(name, wildcard ? new byte[4] : new byte[] {127, 0, 0, 1}));
    }
    if (options.wants(StandardProtocolFamily.INET6)
        && (options.family() != null || Suspension.world().names().hasIpv6())) {
      found.add(address(name, wildcard ? new byte[16] : LOOPBACK6));
    }
    return found;
  }

  private static InetAddress address(@Nullable String name, byte[] bytes) {
    try {
      return InetAddress.getByAddress(name, bytes);
    } catch (UnknownHostException e) {
      throw new AssertionError("an address of " + bytes.length + " bytes", e);
    }
  }

  private static int port(@Nullable String service) {
    if (service == null) {
      return 0;
    }
    if (LETTER.matcher(service).find()) {
      return UNKNOWN_PORT;
    }
    // The system would take a sign, and blanks, and only the last 16 bits of the number.
    if (!NUMBER.matcher(service).matches()) {
      throw new IllegalArgumentException(
          "neither a port from 0 to 65535 nor the name of a service: " + service);
    }
    return checkPort(Integer.parseInt(service));
  }

  static int checkPort(int port) {
    if (port < 0 || port > 0xffff) {
      throw new IllegalArgumentException("a port is from 0 to 65535, not " + port);
    }
    return port;
  }

  private static void checkText(@Nullable String text, String what) {
    if (text != null && (text.isEmpty() || text.indexOf('\0') >= 0)) {
      throw new IllegalArgumentException(
          what + (text.isEmpty() ? " is empty" : " has a NUL character in it"));
    }
  }

  @Override
  public String toString() {
    return (host == null ? "" : host) + (service == null ? "" : ":" + service);
  }
}
