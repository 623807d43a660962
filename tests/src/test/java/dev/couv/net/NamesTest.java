// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.UvException;
import dev.couv.loop.CallCount;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NamesTest {
  private static final ResolveOptions V4 =
      ResolveOptions.DEFAULT.withFamily(StandardProtocolFamily.INET);
  private static final ResolveOptions V6 =
      ResolveOptions.DEFAULT.withFamily(StandardProtocolFamily.INET6);

  private static InetSocketAddress at(String literal, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1", "10.1.2.3", "fd00::1:2", "[::1]", "0.0.0.0"})
  void literalIsItsOwnAddress(String literal) throws Exception {
    try (CallCount lookups = new CallCount("uv_getaddrinfo")) {
      assertEquals(List.of(at(literal, 0)), Names.resolve(literal));
      assertEquals(List.of(at(literal, 8080)), Names.resolve(literal, "8080"));
      assertEquals(0, lookups.get(), "nobody is asked");
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST", "localhost.", "api.localhost"})
  void localhostIsTheLoopbackWithoutALookup(String name) throws Exception {
    try (CallCount lookups = new CallCount("uv_getaddrinfo")) {
      List<InetSocketAddress> found = Names.resolve(name, "80");

      assertEquals(at("127.0.0.1", 80), found.getFirst());
      assertTrue(found.stream().allMatch(each -> each.getAddress().isLoopbackAddress()));
      assertEquals(name, found.getFirst().getHostString());
      assertEquals(List.of(at("127.0.0.1", 80)), Names.resolve(name, "80", V4));
      assertEquals(List.of(at("::1", 80)), Names.resolve(name, "80", V6));
      assertEquals(0, lookups.get(), "nobody is asked");
    }
  }

  @InLoop
  @Test
  void aServiceIsANameOrANumberOfAPort() throws Exception {
    for (String wrong :
        new String[] {"+80", "+65616", "-1", " 80", "80 ", "65616", "99999999999", "8.0", "_"}) {
      assertThrows(IllegalArgumentException.class, () -> Names.resolve("127.0.0.1", wrong), wrong);
      assertThrows(
          IllegalArgumentException.class, () -> Names.resolving("127.0.0.1", wrong), wrong);
    }
    assertEquals(List.of(at("127.0.0.1", 80)), Names.resolve("127.0.0.1", 80));
    assertEquals(List.of(at("127.0.0.1", 80)), Names.resolve("127.0.0.1", "00080"));
    assertEquals(List.of(at("127.0.0.1", 65535)), Names.resolve("127.0.0.1", 65535));
    assertThrows(IllegalArgumentException.class, () -> Names.resolve("127.0.0.1", -1));
    assertThrows(IllegalArgumentException.class, () -> Names.resolve("127.0.0.1", 65536));
  }

  @InLoop
  @Test
  void aHostThatIsTooLongToBeOneIsUnknown() throws Exception {
    for (int length : new int[] {64, 254, 300, 5000}) {
      String host = "x".repeat(length);
      assertThrows(UnknownHostException.class, () -> Names.resolve(host), host);
      assertThrows(UnknownHostException.class, () -> Tcp.connect(host, 80), host);
      assertThrows(UnknownHostException.class, () -> Names.canonical(host), host);
    }
  }

  @InLoop
  @Test
  @Behaviour("NA10")
  void noHostIsTheLoopbackAndTheStarIsTheWildcard() throws Exception {
    for (String service : new String[] {"80", "http"}) {
      List<InetSocketAddress> loopback = Names.resolve(null, service);
      List<InetSocketAddress> wildcard = Names.resolve("*", service);

      assertEquals(at("127.0.0.1", 80), loopback.getFirst());
      assertTrue(loopback.stream().allMatch(each -> each.getAddress().isLoopbackAddress()));
      assertEquals(at("0.0.0.0", 80), wildcard.getFirst());
      assertTrue(wildcard.stream().allMatch(each -> each.getAddress().isAnyLocalAddress()));
      assertEquals(List.of(at("::", 80)), Names.resolve("*", service, V6));
    }
    assertEquals(0, Names.resolve("localhost").getFirst().getPort());
  }

  @InLoop
  @Test
  @Behaviour("NA14")
  void somethingMustBeAskedFor() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> Names.resolve(null, null));
    assertThrows(IllegalArgumentException.class, () -> Names.resolve("*", null));
    assertThrows(IllegalArgumentException.class, () -> Names.resolve("*"));
    assertThrows(IllegalArgumentException.class, () -> Names.resolve(""));
    assertThrows(IllegalArgumentException.class, () -> Names.resolve("localhost", ""));
    assertThrows(IllegalArgumentException.class, () -> Names.resolve("local\0host"));
    assertThrows(IllegalArgumentException.class, () -> Names.resolve("localhost", "65536"));
    assertThrows(IllegalArgumentException.class, () -> Names.resolve("localhost", "99999999999"));
    assertThrows(IllegalArgumentException.class, () -> Names.resolve("localhost", "h\0"));
  }

  @Test
  @Behaviour("NA15")
  void namesHaveNoAddressesOfOtherFamilies() {
    assertThrows(
        IllegalArgumentException.class,
        () -> ResolveOptions.DEFAULT.withFamily(StandardProtocolFamily.UNIX));
  }

  @InLoop
  @Test
  void hostOfTheHostsFileIsLookedUp() throws Exception {
    String name = aliasInHostsFile();
    try (CallCount lookups = new CallCount("uv_getaddrinfo")) {
      List<InetSocketAddress> found = Names.resolve(name, "http");

      assertFalse(found.isEmpty());
      assertEquals(1, lookups.get());
      assertEquals(found.size(), new HashSet<>(found).size(), "each once");
      for (InetSocketAddress each : found) {
        assertEquals(80, each.getPort());
        assertEquals(name, each.getHostString());
      }
    }
  }

  @InLoop
  @Test
  void familyIsThatAskedFor() throws Exception {
    String name = aliasInHostsFile();
    for (InetSocketAddress each : Names.resolve(name, "80", V4)) {
      assertInstanceOf(Inet4Address.class, each.getAddress());
    }
    try {
      for (InetSocketAddress each : Names.resolve(name, "80", V6)) {
        assertInstanceOf(Inet6Address.class, each.getAddress());
      }
    } catch (UnknownHostException none) {
      assertTrue(none.getMessage().contains(name), none.getMessage());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost"})
  void serviceHasAPortOfEachKind(String host) throws Exception {
    assertEquals(at("127.0.0.1", 80), Names.resolve(host, "http").getFirst());
    assertEquals(
        List.of(at("127.0.0.1", 53)),
        Names.resolve(host, "domain", V4.withKind(SocketKind.DATAGRAM)));
    assertEquals(
        List.of(at("127.0.0.1", 22)), Names.resolve(host, "ssh", V4.withKind(SocketKind.STREAM)));
  }

  @InLoop
  @Test
  void unknownServiceIsAFailureWithItsName() throws Exception {
    UvException thrown =
        assertThrows(UvException.class, () -> Names.resolve("127.0.0.1", "no-such-service"));

    assertEquals("EAI_SERVICE", thrown.code());
    assertEquals("getaddrinfo", thrown.call());
    assertEquals("127.0.0.1:no-such-service", thrown.subject());
  }

  @InLoop
  @Test
  void unresolvableNameIsAnUnknownHost() throws Exception {
    String name = "no-such-host.invalid";
    UnknownHostException thrown =
        assertThrows(UnknownHostException.class, () -> Names.resolve(name));

    UvException cause = assertInstanceOf(UvException.class, thrown.getCause());
    assertEquals("getaddrinfo", cause.call());
    assertEquals(name, cause.subject());
    assertThrows(UnknownHostException.class, () -> Names.canonical(name));
  }

  @InLoop
  @Test
  void namesNobodyCanHaveAreUnknownToo() throws Exception {
    for (String name : List.of("a".repeat(64), "256.1.1.1", "a..b", "-", "fe80::1%nope")) {
      assertThrows(UnknownHostException.class, () -> Names.resolve(name), name);
    }
    // libuv cannot even ask for it.
    assertThrows(java.io.IOException.class, () -> Names.resolve("a".repeat(5000)));
  }

  @InLoop
  @Test
  void numericNamesMustBeLiterals() throws Exception {
    ResolveOptions numeric = ResolveOptions.DEFAULT.withNumeric(true);

    assertEquals(List.of(at("::1", 80)), Names.resolve("::1", "80", numeric));
    assertThrows(UnknownHostException.class, () -> Names.resolve("localhost", "80", numeric));
    assertThrows(UnknownHostException.class, () -> Names.resolve("example.org", "80", numeric));
    assertThrows(java.io.IOException.class, () -> Names.resolve("127.0.0.1", "http", numeric));
  }

  @InLoop
  @Test
  void literalOfTheOtherFamilyIsUnknown() throws Exception {
    assertThrows(UnknownHostException.class, () -> Names.resolve("127.0.0.1", "80", V6));
    assertThrows(UnknownHostException.class, () -> Names.resolve("::1", "80", V4));
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1"})
  @Behaviour("NA17")
  void addressHasANameAndItsPortAService(String literal) throws Exception {
    HostService found = Names.reverse(at(literal, 80));

    assertTrue(hostsFileNames(literal).contains(found.host()), found.host());
    assertEquals("http", found.service());
    assertEquals("4711", Names.reverse(at(literal, 4711)).service());
    assertEquals("tftp", Names.reverse(at(literal, 69), SocketKind.DATAGRAM).service());
  }

  @InLoop
  @Test
  void addressWithoutANameIsUnknown() throws Exception {
    // The block for documentation: nobody has it.
    UnknownHostException thrown =
        assertThrows(UnknownHostException.class, () -> Names.reverse(at("127.203.0.113", 80)));

    UvException cause = assertInstanceOf(UvException.class, thrown.getCause());
    assertEquals("getnameinfo", cause.call());
    assertEquals("127.203.0.113:80", cause.subject());
    assertThrows(
        IllegalArgumentException.class,
        () -> Names.reverse(InetSocketAddress.createUnresolved("localhost", 1)));
  }

  @InLoop
  @Test
  void portHasTheNameOfItsService() throws Exception {
    assertEquals("http", Names.service(80));
    assertEquals("tftp", Names.service(69, SocketKind.DATAGRAM));
    assertEquals("4711", Names.service(4711));
    assertThrows(IllegalArgumentException.class, () -> Names.service(-1));
    assertThrows(IllegalArgumentException.class, () -> Names.service(65536));
  }

  @InLoop
  @Test
  @Behaviour("NA18")
  void aliasHasACanonicalName() throws Exception {
    String alias = aliasInHostsFile();
    assertTrue(hostsFileNames(addressOf(alias)).contains(Names.canonical(alias)));
    assertEquals("localhost", Names.canonical("localhost"));
    assertEquals("::1", Names.canonical("::1"));
  }

  @Test
  void awaitsOfACoroutineOnly() {
    assertThrows(IllegalStateException.class, () -> Names.resolve("localhost"));
    assertThrows(IllegalStateException.class, () -> Names.reverse(at("127.0.0.1", 80)));
    assertThrows(IllegalStateException.class, () -> Names.service(80));
    assertThrows(IllegalStateException.class, () -> Names.canonical("localhost"));
    assertThrows(IllegalStateException.class, () -> Names.resolving("localhost", "80"));
  }

  /// A name that this machine's own file gives an address, other than localhost.
  static String aliasInHostsFile() throws Exception {
    return hosts().stream()
        .flatMap(line -> line.stream().skip(1))
        .filter(name -> !name.contains("localhost"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("/etc/hosts names nothing but localhost"));
  }

  private static String addressOf(String name) throws Exception {
    return hosts().stream()
        .filter(line -> line.contains(name))
        .findFirst()
        .orElseThrow()
        .getFirst();
  }

  private static List<String> hostsFileNames(String address) throws Exception {
    return hosts().stream()
        .filter(line -> line.getFirst().equals(address))
        .flatMap(line -> line.stream().skip(1))
        .toList();
  }

  private static List<List<String>> hosts() throws Exception {
    return Files.readAllLines(Path.of("/etc/hosts")).stream()
        .map(line -> line.replaceFirst("#.*", "").strip())
        .filter(line -> !line.isEmpty())
        .map(line -> List.of(line.split("\\s+")))
        .toList();
  }
}
