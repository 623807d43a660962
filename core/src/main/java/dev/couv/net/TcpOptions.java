// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.world.TcpSockets;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How to connect.
///
/// @param noDelay whether small writes go out at once: [TcpStream#noDelay]
/// @param keepAlive after how long a silent peer is asked for a sign of life; null for never
/// @param sendBuffer the size of the system's buffer for writing; 0 for what the system thinks best
/// @param receiveBuffer the size of the system's buffer for reading; 0 for what the system thinks best
/// @param from the address and port to connect from; null for any
/// @param attemptDelay how long an attempt may take before the next address of a host is tried beside it
public record TcpOptions(
    boolean noDelay,
    @Nullable Duration keepAlive,
    int sendBuffer,
    int receiveBuffer,
    @Nullable InetSocketAddress from,
    Duration attemptDelay) {
  /// No delay of small writes, the delay of attempts that RFC 8305 recommends, and all else as the system has
  /// it.
  public static final TcpOptions DEFAULT =
      new TcpOptions(true, null, 0, 0, null, Duration.ofMillis(250));

  /// Refuses times and sizes that are none, and an address that is not resolved.
  public TcpOptions {
    if (keepAlive != null) {
      checkKeepAlive(keepAlive);
    }
    if (sendBuffer < 0 || receiveBuffer < 0) {
      throw new IllegalArgumentException("negative buffer size");
    }
    if (from != null) {
      SocketAddresses.checkResolved(from);
    }
    if (attemptDelay.isNegative()) {
      throw new IllegalArgumentException("negative delay: " + attemptDelay);
    }
  }

  /// Small writes go out at once, or wait for the acknowledgement of earlier ones.
  public TcpOptions withNoDelay(boolean newNoDelay) {
    return new TcpOptions(newNoDelay, keepAlive, sendBuffer, receiveBuffer, from, attemptDelay);
  }

  /// A peer that was silent for that long is asked for a sign of life; null for never.
  public TcpOptions withKeepAlive(@Nullable Duration newKeepAlive) {
    return new TcpOptions(noDelay, newKeepAlive, sendBuffer, receiveBuffer, from, attemptDelay);
  }

  /// The size of the system's buffer for writing; 0 for what the system thinks best.
  public TcpOptions withSendBuffer(int newSendBuffer) {
    return new TcpOptions(noDelay, keepAlive, newSendBuffer, receiveBuffer, from, attemptDelay);
  }

  /// The size of the system's buffer for reading; 0 for what the system thinks best.
  public TcpOptions withReceiveBuffer(int newReceiveBuffer) {
    return new TcpOptions(noDelay, keepAlive, sendBuffer, newReceiveBuffer, from, attemptDelay);
  }

  /// Connects from that address and port; null for any.
  public TcpOptions withFrom(@Nullable InetSocketAddress newFrom) {
    return new TcpOptions(noDelay, keepAlive, sendBuffer, receiveBuffer, newFrom, attemptDelay);
  }

  /// An attempt may take that long before the next address of a host is tried beside it.
  public TcpOptions withAttemptDelay(Duration newAttemptDelay) {
    return new TcpOptions(noDelay, keepAlive, sendBuffer, receiveBuffer, from, newAttemptDelay);
  }

  static void checkKeepAlive(Duration idle) {
    if (idle.toSeconds() < 1 || idle.toSeconds() > Short.MAX_VALUE) {
      throw new IllegalArgumentException("keepAlive: from 1 to 32767 seconds, not " + idle);
    }
  }

  /// What is set on the socket of a connection.
  TcpSockets.Settings settings() {
    return new TcpSockets.Settings(noDelay, keepAlive, sendBuffer, receiveBuffer, from);
  }
}
