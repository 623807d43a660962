// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How to connect.
///
/// @param noDelay whether small writes go out at once: [TcpStream#noDelay]
/// @param keepAlive after how long a silent peer is asked for a sign of life; null for never
/// @param sendBuffer the size of the system's buffer for writing; 0 for what the system thinks best
/// @param receiveBuffer likewise for reading
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

  public TcpOptions {
    if (keepAlive != null) {
      TcpStream.checkKeepAlive(keepAlive);
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

  public TcpOptions withNoDelay(boolean newNoDelay) {
    return new TcpOptions(newNoDelay, keepAlive, sendBuffer, receiveBuffer, from, attemptDelay);
  }

  public TcpOptions withKeepAlive(@Nullable Duration newKeepAlive) {
    return new TcpOptions(noDelay, newKeepAlive, sendBuffer, receiveBuffer, from, attemptDelay);
  }

  public TcpOptions withSendBuffer(int newSendBuffer) {
    return new TcpOptions(noDelay, keepAlive, newSendBuffer, receiveBuffer, from, attemptDelay);
  }

  public TcpOptions withReceiveBuffer(int newReceiveBuffer) {
    return new TcpOptions(noDelay, keepAlive, sendBuffer, newReceiveBuffer, from, attemptDelay);
  }

  public TcpOptions withFrom(@Nullable InetSocketAddress newFrom) {
    return new TcpOptions(noDelay, keepAlive, sendBuffer, receiveBuffer, newFrom, attemptDelay);
  }

  public TcpOptions withAttemptDelay(Duration newAttemptDelay) {
    return new TcpOptions(noDelay, keepAlive, sendBuffer, receiveBuffer, from, newAttemptDelay);
  }

  /// Whether a socket has to be there before it is connected, for something to be set on it.
  boolean needSocket() {
    return keepAlive != null || sendBuffer > 0 || receiveBuffer > 0;
  }
}
