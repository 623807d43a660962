// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.net.TlsOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How to speak over a [WebSocket], on either side.
///
/// @param message how many bytes a message that comes may have, after it was decompressed: 1009
/// @param frame how many bytes one of its frames may have: 1009
/// @param compression whether and how messages are compressed, if the other side can
/// @param idle after so much silence the other side is asked whether it is there, and given up after as much again; null
///     for never
/// @param closeTime how long [WebSocket#close()] waits for the other side
/// @param sendTime how long the other side may take nothing while somebody waits to send; then the connection is closed
/// @param protocols what is spoken inside of it: a client offers them, a server takes the first that it is offered
/// @param origins of a server: from which pages browsers may come, `https://example.org`, or `*` for all; empty for those
///     of the server itself. Clients that are no browsers say none, and may come
/// @param headers of a client: what else its request has
/// @param connectTime of a client: how long it may take until the socket is open
/// @param tls of a client: how to speak TLS
public record WebSocketOptions(
    int message,
    int frame,
    Compression compression,
    @Nullable Duration idle,
    Duration closeTime,
    Duration sendTime,
    List<String> protocols,
    List<String> origins,
    Headers headers,
    Duration connectTime,
    TlsOptions tls) {
  /// How messages are compressed (permessage-deflate), if both sides want it.
  public enum Compression {
    /// They are not.
    NONE,
    /// Each for itself: nothing is held between them.
    MESSAGES,
    /// Each with regard to those before: smaller, and up to 300 KiB are held for each socket.
    CONTEXT
  }

  /// Messages and frames of 1 MiB, each message compressed for itself, a question after a minute of silence, five seconds
  /// to close, thirty to send and to connect, no protocol, and pages of the server itself.
  public static final WebSocketOptions DEFAULT =
      new WebSocketOptions(
          1 << 20,
          1 << 20,
          Compression.MESSAGES,
          Duration.ofMinutes(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          List.of(),
          List.of(),
          Headers.EMPTY,
          Duration.ofSeconds(30),
          TlsOptions.DEFAULT);

  /// Refuses limits below 125 bytes, times that are not positive or beyond 292 years, and protocols that are no words.
  public WebSocketOptions {
    if (message < 125 || frame < 125 || message > 1 << 30 || frame > 1 << 30) {
      throw new IllegalArgumentException(
          "messages of " + message + " bytes, frames of " + frame + ": from 125 to 1 GiB");
    }
    Objects.requireNonNull(compression, "compression");
    Durations.check(idle == null ? closeTime : idle);
    Durations.check(closeTime);
    Durations.check(sendTime);
    Durations.check(connectTime);
    protocols = List.copyOf(protocols);
    for (String protocol : protocols) {
      if (!HeaderChars.isToken(protocol)) {
        throw new IllegalArgumentException("no protocol: " + protocol);
      }
    }
    origins = List.copyOf(origins);
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(tls, "tls");
  }

  /// Messages that come have at most that many bytes, decompressed.
  public WebSocketOptions withMessage(int bytes) {
    return new WebSocketOptions(
        bytes,
        frame,
        compression,
        idle,
        closeTime,
        sendTime,
        protocols,
        origins,
        headers,
        connectTime,
        tls);
  }

  /// Frames that come have at most that many bytes.
  public WebSocketOptions withFrame(int bytes) {
    return new WebSocketOptions(
        message,
        bytes,
        compression,
        idle,
        closeTime,
        sendTime,
        protocols,
        origins,
        headers,
        connectTime,
        tls);
  }

  /// Messages are compressed so, if the other side can.
  public WebSocketOptions withCompression(Compression newCompression) {
    return new WebSocketOptions(
        message,
        frame,
        newCompression,
        idle,
        closeTime,
        sendTime,
        protocols,
        origins,
        headers,
        connectTime,
        tls);
  }

  /// After that much silence the other side is asked whether it is there, while somebody receives; null for never.
  public WebSocketOptions withIdle(@Nullable Duration time) {
    return new WebSocketOptions(
        message,
        frame,
        compression,
        time,
        closeTime,
        sendTime,
        protocols,
        origins,
        headers,
        connectTime,
        tls);
  }

  /// Closing waits that long for the other side.
  public WebSocketOptions withCloseTime(Duration time) {
    return new WebSocketOptions(
        message,
        frame,
        compression,
        idle,
        time,
        sendTime,
        protocols,
        origins,
        headers,
        connectTime,
        tls);
  }

  /// The other side may take nothing for that long while somebody waits to send to it: then the connection is closed.
  public WebSocketOptions withSendTime(Duration time) {
    return new WebSocketOptions(
        message,
        frame,
        compression,
        idle,
        closeTime,
        time,
        protocols,
        origins,
        headers,
        connectTime,
        tls);
  }

  /// What is spoken inside of it, the best first.
  public WebSocketOptions withProtocols(String... newProtocols) {
    return new WebSocketOptions(
        message,
        frame,
        compression,
        idle,
        closeTime,
        sendTime,
        List.of(newProtocols),
        origins,
        headers,
        connectTime,
        tls);
  }

  /// Of a server: browsers may come from those pages, `https://example.org`, or from all with `*`.
  public WebSocketOptions withOrigins(String... newOrigins) {
    return new WebSocketOptions(
        message,
        frame,
        compression,
        idle,
        closeTime,
        sendTime,
        protocols,
        List.of(newOrigins),
        headers,
        connectTime,
        tls);
  }

  /// Of a client: its request has that header, too.
  public WebSocketOptions withHeader(String name, String value) {
    Framing.refuse(name);
    return new WebSocketOptions(
        message,
        frame,
        compression,
        idle,
        closeTime,
        sendTime,
        protocols,
        origins,
        headers.with(name, value),
        connectTime,
        tls);
  }

  /// Of a client: the socket is open within that time, or not at all.
  public WebSocketOptions withConnectTime(Duration time) {
    return new WebSocketOptions(
        message,
        frame,
        compression,
        idle,
        closeTime,
        sendTime,
        protocols,
        origins,
        headers,
        time,
        tls);
  }

  /// Of a client: how it speaks TLS, and whom it trusts.
  public WebSocketOptions withTls(TlsOptions newTls) {
    return new WebSocketOptions(
        message,
        frame,
        compression,
        idle,
        closeTime,
        sendTime,
        protocols,
        origins,
        headers,
        connectTime,
        newTls);
  }
}
