// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.LoopBound;
import dev.couv.error.BusyException;
import dev.couv.loop.Failures;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.world.AddressText;
import dev.couv.world.Delivery;
import dev.couv.world.UdpHandle;
import dev.couv.world.UdpHandle.Option;
import dev.couv.world.UdpHandle.Receipt;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A socket for datagrams. One coroutine may receive while others send; a second receiver gets a
/// `BusyException`.
///
/// Cancelling a receive loses nothing: a datagram that came meanwhile is the next receive's. A send that was
/// cancelled while the system had no room still goes. Closing wakes whoever waits with an
/// `AsynchronousCloseException`.
public final class UdpSocket implements AutoCloseable, LoopBound {
  private final UdpHandle handle;
  private final boolean v6;
  private final boolean mapsV4;

  private @Nullable InetSocketAddress remote;
  private boolean receiving;

  UdpSocket(UdpHandle handle, InetSocketAddress first, boolean mapsV4) {
    this.handle = handle;
    this.v6 = first.getAddress() instanceof Inet6Address;
    this.mapsV4 = mapsV4;
  }

  // ---- addresses

  /// This end, with the port the system chose if it was asked to.
  public InetSocketAddress local() throws IOException {
    return handle.local();
  }

  /// The one peer of a connected socket; null if it is not connected.
  public @Nullable InetSocketAddress remote() {
    return remote;
  }

  /// From now on datagrams go to that peer and come from nobody else. Does not wait: nobody is asked. A
  /// peer that does not listen is told by a later call, as `ECONNREFUSED`.
  public void connect(InetSocketAddress to) throws IOException {
    handle.checkUsable();
    SocketAddresses.checkResolved(to);
    checkFamily(to);
    disconnect();
    handle.connect(to);
    remote = to;
  }

  /// Takes a [#connect] back.
  public void disconnect() throws IOException {
    handle.checkUsable();
    if (remote != null) {
      handle.disconnect();
      remote = null;
    }
  }

  // ---- sending

  /// Sends what remains of the buffer, which may be nothing, to the peer of a connected socket. Waits
  /// only while the system has no room.
  ///
  /// @throws IllegalStateException if it is not connected
  /// @throws dev.couv.error.UvException if it is too long (`EMSGSIZE`)
  public void send(ByteBuffer from) throws IOException {
    checkConnected(from);
    sendOrWait(from, null);
  }

  /// Sends what remains of the buffer to that address. Waits only while the system has no room.
  ///
  /// @throws IllegalStateException if the socket is connected
  /// @throws dev.couv.error.UvException if it is too long (`EMSGSIZE`)
  public void send(ByteBuffer from, InetSocketAddress to) throws IOException {
    checkAddress(from, to);
    sendOrWait(from, to);
  }

  /// Sends what remains of the buffer to the peer of a connected socket, if the system has room now; else
  /// false. Never waits.
  public boolean trySend(ByteBuffer from) throws IOException {
    checkConnected(from);
    return handle.trySend(from, null);
  }

  /// Sends what remains of the buffer to that address, if the system has room now; else false. Never waits.
  ///
  /// @throws IllegalStateException if the socket is connected
  public boolean trySend(ByteBuffer from, InetSocketAddress to) throws IOException {
    checkAddress(from, to);
    return handle.trySend(from, to);
  }

  private void checkConnected(ByteBuffer from) throws IOException {
    UserBuffers.checkSources(from);
    handle.checkUsable();
    if (remote == null) {
      throw new IllegalStateException(this + " is not connected: where to?");
    }
  }

  private void checkAddress(ByteBuffer from, InetSocketAddress to) throws IOException {
    UserBuffers.checkSources(from);
    handle.checkUsable();
    SocketAddresses.checkResolved(to);
    checkFamily(to);
    if (remote != null) {
      throw new IllegalStateException(this + " is connected: it sends to nobody else");
    }
  }

  private void checkFamily(InetSocketAddress address) {
    boolean isV6 = address.getAddress() instanceof Inet6Address;
    if (isV6 != v6 && !(v6 && mapsV4)) {
      throw new IllegalArgumentException(
          "an address of another family than " + this + ": " + AddressText.of(address));
    }
  }

  private void sendOrWait(ByteBuffer from, @Nullable InetSocketAddress to) throws IOException {
    Suspension.pass("send");
    if (!handle.isOpen()) { // others may have run
      throw Failures.closedWhile(this, "sending");
    }
    if (!handle.trySend(from, to)) {
      Delivery send = handle.send(from, to);
      Suspension.await(send);
      send.finish();
    }
  }

  // ---- receiving

  /// Waits for a datagram and puts it into the buffer; what there is no room for is lost.
  ///
  /// @throws BusyException if another coroutine is receiving
  public Datagram receive(ByteBuffer into) throws IOException {
    Receipt receipt = handle.receive(into);
    await(receipt);
    return receipt.datagram(0, Datagram::new);
  }

  /// Waits for datagrams and puts each into a buffer of its own: as many as have come and as there are
  /// buffers for, but at least one. The first datagram is in the first buffer, and so on.
  ///
  /// @throws BusyException if another coroutine is receiving
  public List<Datagram> receive(ByteBuffer[] into) throws IOException {
    if (into.length == 0) {
      throw new IllegalArgumentException("no buffer to receive into");
    }
    Receipt receipt = handle.receive(into);
    Datagram[] arrived = new Datagram[await(receipt)];
    for (int i = 0; i < arrived.length; i++) {
      arrived[i] = receipt.datagram(i, Datagram::new);
    }
    return List.of(arrived);
  }

  private int await(Receipt receipt) throws IOException {
    if ((!handle.isOpen() || receiving) && Suspension.isInCoroutine()) {
      Suspension.pass("receive"); // who does not heed the refusal must not starve the others
    }
    handle.checkUsable();
    if (receiving) {
      throw new BusyException(this + ": another coroutine is already receiving");
    }
    receiving = true;
    try {
      Suspension.await(receipt);
      return receipt.finish();
    } finally {
      receiving = false;
    }
  }

  // ---- options

  /// Whether datagrams may be sent to broadcast addresses.
  public void broadcast(boolean on) throws IOException {
    set(Option.BROADCAST, on ? 1 : 0);
  }

  /// How many routers a datagram may pass, from 1 to 255.
  public void ttl(int hops) throws IOException {
    set(Option.TTL, checkHops(hops));
  }

  /// Receives what is sent to a multicast group, through an interface that the system chooses.
  public void join(InetAddress group) throws IOException {
    join(group, null);
  }

  /// Receives what is sent to a multicast group, through that interface, or one that the system chooses if it is null.
  public void join(InetAddress group, @Nullable NetworkInterface through) throws IOException {
    member(true, group, through, null);
  }

  /// Receives what that source sends to a multicast group, through that interface, or one that the system chooses if it
  /// is null.
  public void join(InetAddress group, @Nullable NetworkInterface through, InetAddress source)
      throws IOException {
    Objects.requireNonNull(source, "source");
    member(true, group, through, source);
  }

  /// Takes a [#join(InetAddress)] back.
  public void leave(InetAddress group) throws IOException {
    leave(group, null);
  }

  /// Takes a [#join(InetAddress, NetworkInterface)] back.
  public void leave(InetAddress group, @Nullable NetworkInterface through) throws IOException {
    member(false, group, through, null);
  }

  /// Takes a [#join(InetAddress, NetworkInterface, InetAddress)] back.
  public void leave(InetAddress group, @Nullable NetworkInterface through, InetAddress source)
      throws IOException {
    Objects.requireNonNull(source, "source");
    member(false, group, through, source);
  }

  /// Whether this machine's own members of a group get what this socket sends to it.
  public void multicastLoop(boolean on) throws IOException {
    set(Option.MULTICAST_LOOP, on ? 1 : 0);
  }

  /// How many routers a datagram to a group may pass, from 1 to 255.
  public void multicastTtl(int hops) throws IOException {
    set(Option.MULTICAST_TTL, checkHops(hops));
  }

  /// Through which interface datagrams to groups are sent; null lets the system choose.
  public void multicastInterface(@Nullable NetworkInterface through) throws IOException {
    handle.checkUsable();
    handle.multicastInterface(through);
  }

  /// The size of the system's buffer for what has not been sent. Linux reports twice what was set.
  public int sendBuffer() throws IOException {
    return handle.buffer(true, 0);
  }

  /// Sets the size of the system's buffer for what has not been sent, within the system's limits.
  public void sendBuffer(int bytes) throws IOException {
    handle.buffer(true, TcpStream.checkBuffer(bytes));
  }

  /// The size of the system's buffer for what has not been received. Linux reports twice what was set.
  public int receiveBuffer() throws IOException {
    return handle.buffer(false, 0);
  }

  /// Sets the size of the system's buffer for what has not been received, within the system's limits.
  public void receiveBuffer(int bytes) throws IOException {
    handle.buffer(false, TcpStream.checkBuffer(bytes));
  }

  private void set(Option option, int value) throws IOException {
    handle.checkUsable();
    handle.set(option, value);
  }

  private void member(
      boolean joins,
      InetAddress group,
      @Nullable NetworkInterface through,
      @Nullable InetAddress source)
      throws IOException {
    handle.checkUsable();
    if (!group.isMulticastAddress()) {
      throw new IllegalArgumentException("not a multicast address: " + group.getHostAddress());
    }
    if (source != null && source instanceof Inet6Address != group instanceof Inet6Address) {
      throw new IllegalArgumentException(
          "source and group are of two families: %s, %s"
              .formatted(source.getHostAddress(), group.getHostAddress()));
    }
    handle.member(joins, group, through, source);
  }

  private static int checkHops(int hops) {
    if (hops < 1 || hops > 255) {
      throw new IllegalArgumentException("from 1 to 255 hops, not " + hops);
    }
    return hops;
  }

  // ---- the rest

  /// Bytes of datagrams that are queued because the system had no room.
  public long pending() throws IOException {
    handle.checkUsable();
    return handle.pending();
  }

  /// Whether the caller runs in its loop.
  @Override
  public boolean isHere() {
    return handle.loop().isInside();
  }

  /// Whether it was not closed yet, as streams tell it: the opposite of [#isClosed].
  public boolean isOpen() {
    return handle.isOpen();
  }

  /// Whether it was closed, by [#close] or by the end of its loop.
  public boolean isClosed() {
    return !handle.isOpen();
  }

  /// Closes it and wakes whoever sends or receives. Datagrams that wait for room are lost.
  @Override
  public void close() {
    handle.close();
  }

  @Override
  public String toString() {
    return handle.toString();
  }
}
