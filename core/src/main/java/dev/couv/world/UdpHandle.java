// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.Operation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A socket for datagrams. Whoever calls has checked that it is usable, and that what is sent is for its peer, if it
/// has one, and has an address if it has none. `toString` names it.
public interface UdpHandle extends Handle {
  /// What can be set.
  enum Option {
    BROADCAST("broadcast"),
    TTL("ttl"),
    MULTICAST_LOOP("multicastLoop"),
    MULTICAST_TTL("multicastTtl");

    private final String call;

    Option(String call) {
      this.call = call;
    }

    /// What a failure is called.
    public String call() {
      return call;
    }
  }

  /// Waits for as many datagrams as there are buffers for and as have come, but at least one. A datagram whose receiver
  /// leaves is the next one's.
  interface Receipt extends Operation {
    /// How many have come: their bytes are in the first of the buffers, whose positions are moved now.
    int finish() throws IOException;

    /// What is known of one of them.
    <T> T datagram(int index, Arrived<T> as);
  }

  /// Who sent a datagram, how many bytes of it there was room for, and whether there were more.
  interface Arrived<T> {
    T of(InetSocketAddress from, int length, boolean truncated);
  }

  /// Where it is, with the port that was chosen.
  InetSocketAddress local() throws IOException;

  /// Puts it at that address, or at a port that is chosen if it is 0.
  void bind(InetSocketAddress at, boolean reuseAddress, boolean ipv6Only) throws IOException;

  /// Gives it a peer, if it has none.
  void connect(InetSocketAddress to) throws IOException;

  /// Gives up its peer, and keeps its port.
  void disconnect() throws IOException;

  /// Sends what remains of the buffer, to the peer if the address is null. False if there is no room now.
  boolean trySend(ByteBuffer from, @Nullable InetSocketAddress to) throws IOException;

  /// Takes what remains of the buffer when it is started, and waits until there was room. Left, it still goes.
  Delivery send(ByteBuffer from, @Nullable InetSocketAddress to);

  /// Waits for datagrams. One at a time.
  Receipt receive(ByteBuffer... into);

  /// Bytes of datagrams that wait for room.
  long pending();

  void set(Option option, int value) throws IOException;

  /// Sets the size of the system's buffer for one direction, unless it is 0; the size now.
  int buffer(boolean sending, int bytes) throws IOException;

  /// Receives what is sent to the group, too, if `joins`, through that interface or the one that the system chooses, from
  /// that source or any; or takes that back.
  void member(
      boolean joins,
      InetAddress group,
      @Nullable NetworkInterface through,
      @Nullable InetAddress source)
      throws IOException;

  /// Through which interface it sends to groups; null lets the system choose.
  void multicastInterface(@Nullable NetworkInterface through) throws IOException;
}
