// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.UserBuffers;
import dev.couv.world.AddressText;
import dev.couv.world.Delivery;
import dev.couv.world.UdpHandle;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A socket for datagrams in memory. Sending never waits: what the way or the receiver has no room for is lost.
final class MemoryUdp extends MemoryHandle implements UdpHandle, Ports.Bound {
  private static final int LONGEST = 65507;
  private static final int CAPACITY = 212_992;

  /// A group, and the only one whose datagrams are wanted, or null.
  private record Membership(InetAddress group, @Nullable InetAddress source) {}

  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
  record Letter(InetSocketAddress from, byte[] bytes) {}

  private final boolean v6;
  private final ArrayDeque<Letter> kept = new ArrayDeque<>(2);
  private final Set<Membership> groups = new LinkedHashSet<>(1);
  private final Map<Option, Integer> options = new EnumMap<>(Option.class);
  private @Nullable InetSocketAddress bound;
  private @Nullable InetSocketAddress peer;
  private boolean v6Only;
  private boolean shares;
  private int bytesKept;
  private @Nullable String error;
  private int sendBuffer = CAPACITY;
  private int receiveBuffer = CAPACITY;
  private String name = "udp socket";

  MemoryUdp(MemoryProcess process, EventLoop loop, boolean v6) {
    super(process, loop);
    this.v6 = v6;
  }

  // ---- addresses

  @Override
  public InetSocketAddress bound() {
    return bound == null ? new InetSocketAddress(any(), 0) : bound;
  }

  private InetAddress any() {
    return InetAddress.ofLiteral(v6 ? "::" : "0.0.0.0");
  }

  @Override
  public boolean isV6Only() {
    return v6Only;
  }

  @Override
  public boolean shares() {
    return shares;
  }

  @Override
  public InetSocketAddress local() throws IOException {
    checkUsable();
    InetSocketAddress at = bound();
    InetSocketAddress to = peer;
    return to != null && at.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(node().towards(to.getAddress()), at.getPort())
        : at;
  }

  @Override
  public void bind(InetSocketAddress at, boolean reuseAddress, boolean ipv6Only)
      throws IOException {
    v6Only = ipv6Only && v6;
    shares = reuseAddress;
    String subject = AddressText.of(at);
    if (!node().has(at.getAddress()) && !at.getAddress().isMulticastAddress()) {
      throw MemoryTcpSockets.failure("EADDRNOTAVAIL", "bind", subject);
    }
    Ports<MemoryUdp> ports = node().datagrams();
    int port = at.getPort() == 0 ? ports.choose() : at.getPort();
    InetSocketAddress chosen = new InetSocketAddress(at.getAddress(), port);
    if (port == 0 || !ports.isFree(chosen, v6Only, shares)) {
      throw MemoryTcpSockets.failure("EADDRINUSE", "bind", subject);
    }
    bound = chosen;
    if (!isCutOff()) {
      ports.add(this);
    }
    name = "udp socket " + AddressText.of(chosen);
  }

  private void bindAnywhere() throws IOException {
    if (bound == null) {
      bind(new InetSocketAddress(any(), 0), false, false);
    }
  }

  @Override
  public void connect(InetSocketAddress to) throws IOException {
    bindAnywhere();
    if (node().network().at(node(), to.getAddress()) == null
        && !to.getAddress().isMulticastAddress()) {
      throw MemoryTcpSockets.failure("ENETUNREACH", "connect", AddressText.of(to));
    }
    peer = to;
    name = "udp socket " + AddressText.of(local()) + " to " + AddressText.of(to);
  }

  @Override
  public void disconnect() throws IOException {
    peer = null;
    name = "udp socket " + AddressText.of(local());
  }

  /// Whether something from there to here is for this socket.
  boolean isFor(InetSocketAddress from, InetSocketAddress to) {
    InetAddress at = to.getAddress();
    boolean reached =
        at.isMulticastAddress()
            ? isMember(at, from.getAddress())
            : Network.isBroadcast(at)
                ? bound().getAddress().isAnyLocalAddress()
                : Node.covers(bound(), v6Only, at);
    return reached && (peer == null || peer.equals(from));
  }

  private boolean isMember(InetAddress group, InetAddress source) {
    return groups.contains(new Membership(group, null))
        || groups.contains(new Membership(group, source));
  }

  /// How well it fits: one that is connected, or at the very address, goes before others.
  int fitness() {
    return (peer == null ? 0 : 2) + (bound().getAddress().isAnyLocalAddress() ? 0 : 1);
  }

  // ---- sending

  @Override
  public boolean trySend(ByteBuffer from, @Nullable InetSocketAddress to) throws IOException {
    InetSocketAddress target = to == null ? peer : to;
    if (target == null) {
      throw new AssertionError(this + " has nowhere to send to");
    }
    String subject = to == null ? toString() : AddressText.of(to);
    if (from.remaining() > LONGEST) {
      throw Failures.named("EMSGSIZE", "send", subject);
    }
    String told = error;
    error = null;
    if (told != null) {
      throw MemoryTcpSockets.failure(told, "send", subject);
    }
    bindAnywhere();
    if (Network.isBroadcast(target.getAddress())
        && options.getOrDefault(Option.BROADCAST, 0) == 0) {
      throw MemoryTcpSockets.failure("EACCES", "send", subject);
    }
    byte[] bytes = new byte[from.remaining()];
    from.get(bytes);
    InetAddress own = bound().getAddress();
    InetSocketAddress source =
        new InetSocketAddress(
            own.isAnyLocalAddress() ? node().towards(target.getAddress()) : own, bound().getPort());
    if (!Post.send(this, new Letter(source, bytes), target)) {
      from.position(from.position() - bytes.length);
      throw MemoryTcpSockets.failure("ENETUNREACH", "send", subject);
    }
    return true;
  }

  boolean loopsBack() {
    return options.getOrDefault(Option.MULTICAST_LOOP, 1) != 0;
  }

  @Override
  public Delivery send(ByteBuffer from, @Nullable InetSocketAddress to) {
    throw new AssertionError("there is always room");
  }

  @Override
  public long pending() {
    return 0;
  }

  // ---- receiving

  void arrived(Letter letter) {
    if (isOpen() && !isCutOff() && bytesKept + letter.bytes().length <= receiveBuffer) {
      kept.add(letter);
      bytesKept += letter.bytes().length;
      changed();
    }
  }

  /// Nobody was there for what this socket had sent.
  void refusedBy(InetSocketAddress there) {
    if (isOpen() && there.equals(peer)) {
      error = "ECONNREFUSED";
      changed();
    }
  }

  @Override
  public Receipt receive(ByteBuffer... into) {
    return new Receive(into);
  }

  private final class Receive extends Until implements Receipt {
    private record Landed(InetSocketAddress from, int length, boolean truncated) {}

    private final ByteBuffer[] into;
    private final int[] positions;
    private final int[] rooms;
    private final Landed[] landed;

    Receive(ByteBuffer... into) {
      super("receive from");
      this.into = into;
      this.positions = new int[into.length];
      this.rooms = new int[into.length];
      this.landed = new Landed[into.length];
      for (int i = 0; i < into.length; i++) {
        UserBuffers.checkTarget(into[i]);
        positions[i] = into[i].position();
        rooms[i] = into[i].remaining();
      }
    }

    @Override
    boolean holds() {
      return !kept.isEmpty() || error != null;
    }

    @Override
    public int finish() throws IOException {
      if (!isOpen()) {
        throw Failures.closedWhile(MemoryUdp.this, "receiving");
      }
      String told = error;
      error = null;
      if (told != null) {
        throw Failures.named(told, "receive", MemoryUdp.this.toString());
      }
      int count = Math.min(into.length, kept.size());
      for (int i = 0; i < count; i++) {
        if (positions[i] + rooms[i] > into[i].limit()) {
          throw new IllegalStateException(
              "the buffer was changed or freed while "
                  + MemoryUdp.this
                  + " received into it; what arrived is there for the next receive");
        }
      }
      for (int i = 0; i < count; i++) {
        Letter letter = kept.remove();
        bytesKept -= letter.bytes().length;
        int length = Math.min(rooms[i], letter.bytes().length);
        into[i].put(positions[i], letter.bytes(), 0, length);
        into[i].position(positions[i] + length);
        landed[i] = new Landed(letter.from(), length, length < letter.bytes().length);
      }
      return count;
    }

    @Override
    public <T> T datagram(int index, Arrived<T> as) {
      Landed at = landed[index];
      return as.of(at.from(), at.length(), at.truncated());
    }
  }

  // ---- options

  @Override
  public void set(Option option, int value) {
    options.put(option, value);
  }

  @Override
  public int buffer(boolean sending, int bytes) throws IOException {
    checkUsable();
    if (bytes > 0 && sending) {
      sendBuffer = 2 * bytes; // as Linux tells it
    } else if (bytes > 0) {
      receiveBuffer = 2 * bytes;
    }
    return sending ? sendBuffer : receiveBuffer;
  }

  /// There is one network, whatever interface is named.
  @Override
  public void member(
      boolean joins,
      InetAddress group,
      @Nullable NetworkInterface through,
      @Nullable InetAddress source)
      throws IOException {
    Membership membership = new Membership(group, source);
    String subject = group.getHostAddress() + " by " + this;
    if (group instanceof Inet6Address != v6) {
      throw Failures.named("EINVAL", joins ? "join" : "leave", subject);
    }
    if (joins ? !groups.add(membership) : !groups.remove(membership)) {
      throw Failures.named(
          joins ? "EADDRINUSE" : "EADDRNOTAVAIL", joins ? "join" : "leave", subject);
    }
  }

  @Override
  public void multicastInterface(@Nullable NetworkInterface through) {
    // there is one network
  }

  @Override
  void closing() {
    kept.clear();
    if (!isCutOff() && bound != null) {
      node().datagrams().remove(this);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
