// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The machines of a world in memory, by name and address, and the ways between them.
public final class Network {
  private final Agenda agenda;
  private final Routes routes;
  private final Observer observer;
  private final Map<String, Node> byName = new LinkedHashMap<>();
  private final Map<InetAddress, Node> byAddress = new LinkedHashMap<>();
  private final Map<String, List<InetAddress>> aliases = new LinkedHashMap<>();

  /// Is told what goes over the network.
  @FunctionalInterface
  public interface Observer {
    /// Something came from there to here; `mark` stands for its bytes, of which there are so many.
    void arrived(Node from, Node to, String what, int bytes, int mark);
  }

  public Network(Agenda agenda, Routes routes, Observer observer) {
    this.agenda = agenda;
    this.routes = routes;
    this.observer = observer;
  }

  Agenda agenda() {
    return agenda;
  }

  Routes routes() {
    return routes;
  }

  void arrived(Node from, Node to, String what, int bytes, int mark) {
    observer.arrived(from, to, what, bytes, mark);
  }

  /// A machine of that name, at those addresses.
  ///
  /// @throws IllegalArgumentException if the name or an address is another's
  public Node add(String name, List<InetAddress> addresses, Entropy entropy) {
    return add(name, addresses, entropy, false);
  }

  /// With `shadows` it has the directories of this machine, empty.
  Node add(String name, List<InetAddress> addresses, Entropy entropy, boolean shadows) {
    if (byName.containsKey(name)) {
      throw new IllegalArgumentException("there is a host " + name + " already");
    }
    for (InetAddress address : addresses) {
      if (byAddress.containsKey(address)) {
        throw new IllegalArgumentException(
            address.getHostAddress() + " is the address of " + byAddress.get(address));
      }
    }
    Node node = new Node(this, name, addresses, byName.size(), entropy, shadows);
    byName.put(name, node);
    addresses.forEach(address -> byAddress.put(address, node));
    return node;
  }

  /// Another name for addresses, whose ever they are.
  public void alias(String name, List<InetAddress> addresses) {
    aliases.put(name, List.copyOf(addresses));
  }

  /// Those that a name stands for there; empty if nobody knows it.
  List<InetAddress> lookUp(Node asking, String name) {
    List<InetAddress> alias = aliases.get(name);
    Node named = byName.get(name);
    if (alias != null) {
      return alias;
    } else if (name.equalsIgnoreCase("localhost")) {
      return Node.LOOPBACKS;
    } else if (named == null) {
      return List.of();
    }
    return named.addresses().isEmpty() && named == asking ? Node.LOOPBACKS : named.addresses();
  }

  /// The machine that this one reaches at that address; null if there is none.
  @Nullable Node at(Node from, InetAddress address) {
    return address.isLoopbackAddress() || address.isAnyLocalAddress()
        ? from
        : byAddress.get(address);
  }

  /// All connections between the two are reset, for both.
  public void reset(Node one, Node other) {
    cut(one, other);
    cut(other, one);
  }

  private static void cut(Node here, Node there) {
    for (End end : new ArrayList<>(here.ends())) {
      if (end.peer().node() == there) {
        end.cut();
      }
    }
  }

  /// All machines, in the order they came.
  public Collection<Node> nodes() {
    return Collections.unmodifiableCollection(byName.values());
  }

  /// Those that a datagram to everybody reaches.
  List<Node> everybody() {
    return new ArrayList<>(byName.values());
  }

  static boolean isBroadcast(InetAddress address) {
    return address instanceof Inet4Address && address.getHostAddress().endsWith(".255.255.255");
  }
}
