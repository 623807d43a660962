// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.UvErrors;
import dev.couv.world.AddressText;
import dev.couv.world.Request;
import dev.couv.world.Resolver;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The names of a world in memory: a table that all machines share. Whoever asks gets the answer with the next event.
final class MemoryNames implements Resolver {
  private static final Map<String, Integer> SERVICES =
      Map.of(
          "ftp", 21, "ssh", 22, "telnet", 23, "smtp", 25, "domain", 53, "http", 80, "pop3", 110,
          "ntp", 123, "https", 443, "imaps", 993);

  private final MemoryProcess process;
  private final Node node;

  MemoryNames(MemoryProcess process) {
    this.process = process;
    node = process.node();
  }

  @Override
  public boolean hasIpv6() {
    return true;
  }

  /// Throws, or finds at once; told with the next event.
  private interface Finding<T> {
    T find() throws IOException;
  }

  private <T> Request<T> later(EventLoop loop, String what, Finding<T> finding) {
    return new Answer<>(loop, what) {
      @Override
      void ask() {
        process.enter(loop);
        node.network().agenda().soon(node, this::answered);
      }

      @Override
      T answer() throws IOException {
        return finding.find();
      }
    };
  }

  @Override
  public Request<List<InetSocketAddress>> addresses(EventLoop loop, Sought sought) {
    return later(loop, "the addresses of " + sought.subject(), () -> find(sought));
  }

  private List<InetSocketAddress> find(Sought sought) throws IOException {
    int port = sought.service() == null ? 0 : port(sought);
    Set<InetSocketAddress> found = new LinkedHashSet<>();
    for (InetAddress address : addresses(sought)) {
      if (sought.family() == null
          || address instanceof Inet6Address == (sought.family() == StandardProtocolFamily.INET6)) {
        found.add(new InetSocketAddress(address, port));
      }
    }
    if (found.isEmpty()) {
      throw failure("EAI_NONAME", sought.subject());
    }
    return List.copyOf(found);
  }

  private int port(Sought sought) throws IOException {
    String service = String.valueOf(sought.service());
    try {
      return Integer.parseInt(service);
    } catch (NumberFormatException noNumber) {
      Integer known = SERVICES.get(service);
      if (known == null || sought.numeric()) {
        throw failure(sought.numeric() ? "EAI_NONAME" : "EAI_SERVICE", sought.subject());
      }
      return known;
    }
  }

  private List<InetAddress> addresses(Sought sought) {
    String host = sought.host();
    if (host == null) {
      return List.of(InetAddress.ofLiteral("0.0.0.0"), InetAddress.ofLiteral("::"));
    }
    InetAddress literal = literal(host);
    if (literal != null) {
      return List.of(literal);
    }
    return sought.numeric() ? List.of() : node.network().lookUp(node, host);
  }

  private static @Nullable InetAddress literal(String host) {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException name) {
      return null;
    }
  }

  private static IOException failure(String code, String subject) {
    return Failures.ofSocket(UvErrors.code(code), "getaddrinfo", subject);
  }

  @Override
  public Request<String> canonical(EventLoop loop, String host) {
    return later(
        loop,
        "the addresses of " + host,
        () -> {
          if (literal(host) == null && node.network().lookUp(node, host).isEmpty()) {
            throw failure("EAI_NONAME", host);
          }
          return host;
        });
  }

  @Override
  public <T> Request<T> names(
      EventLoop loop,
      InetSocketAddress address,
      Transport transport,
      boolean serviceOnly,
      BiFunction<String, String, T> as) {
    return later(
        loop,
        "the name of " + AddressText.of(address),
        () -> as.apply(serviceOnly ? "" : host(address), service(address.getPort())));
  }

  private String host(InetSocketAddress address) throws IOException {
    InetAddress at = address.getAddress();
    if (at.isLoopbackAddress()) {
      return "localhost";
    }
    Node found = node.network().at(node, at);
    if (found == null) {
      throw Failures.ofSocket(UvErrors.code("EAI_NONAME"), "getnameinfo", AddressText.of(address));
    }
    return found.name();
  }

  private static String service(int port) {
    return SERVICES.entrySet().stream()
        .filter(entry -> entry.getValue() == port)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(Integer.toString(port));
  }
}
