// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.net.ListenOptions;
import dev.couv.net.TlsOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// How to serve HTTP.
///
/// @param limits what a client may ask for
/// @param connections how many there are at once; others wait in the system's backlog
/// @param grace how long requests may go on when the server ends, before they are cancelled
/// @param name of the header `Server`; empty to say nothing
/// @param tls who the server is; null to speak without TLS
/// @param tlsOptions how TLS is spoken; which protocols are offered inside of it is the server's business
/// @param listen how it listens
/// @param accessLog is told of every answer; null to tell nobody
/// @param onFailure is told of what handlers threw that was no [HttpFailure]; null to log it
/// @param compression which answers are compressed; null for none
public record ServerOptions(
    HttpLimits limits,
    int connections,
    Duration grace,
    String name,
    @Nullable SSLContext tls,
    TlsOptions tlsOptions,
    ListenOptions listen,
    @Nullable AccessLog accessLog,
    @Nullable BiConsumer<? super Request, ? super Throwable> onFailure,
    @Nullable Compression compression) {
  /// The default limits, ten thousand connections, ten seconds at the end, no TLS, failures logged, nothing compressed.
  public static final ServerOptions DEFAULT =
      new ServerOptions(
          HttpLimits.DEFAULT,
          10_000,
          Duration.ofSeconds(10),
          "",
          null,
          TlsOptions.DEFAULT,
          ListenOptions.DEFAULT,
          null,
          null,
          null);

  /// Refuses less than one connection, and a negative grace.
  public ServerOptions {
    Objects.requireNonNull(limits, "limits");
    if (connections < 1) {
      throw new IllegalArgumentException("at most " + connections + " connections");
    }
    if (grace.isNegative()) {
      throw new IllegalArgumentException("negative grace: " + grace);
    }
    HeaderChars.check("Server", name);
    Objects.requireNonNull(tlsOptions, "tlsOptions");
    Objects.requireNonNull(listen, "listen");
  }

  /// What a client may ask for.
  public ServerOptions withLimits(HttpLimits newLimits) {
    return new ServerOptions(
        newLimits,
        connections,
        grace,
        name,
        tls,
        tlsOptions,
        listen,
        accessLog,
        onFailure,
        compression);
  }

  /// At most that many connections at once; others wait.
  public ServerOptions withConnections(int most) {
    return new ServerOptions(
        limits, most, grace, name, tls, tlsOptions, listen, accessLog, onFailure, compression);
  }

  /// When the server ends, requests may go on for that long before they are cancelled.
  public ServerOptions withGrace(Duration newGrace) {
    return new ServerOptions(
        limits,
        connections,
        newGrace,
        name,
        tls,
        tlsOptions,
        listen,
        accessLog,
        onFailure,
        compression);
  }

  /// The header `Server` of every answer; empty to say nothing.
  public ServerOptions withName(String newName) {
    return new ServerOptions(
        limits,
        connections,
        grace,
        newName,
        tls,
        tlsOptions,
        listen,
        accessLog,
        onFailure,
        compression);
  }

  /// Speaks TLS, as whoever that context says: `TlsContext.create().identity(chain, key).build()`.
  public ServerOptions withTls(SSLContext context) {
    return new ServerOptions(
        limits,
        connections,
        grace,
        name,
        context,
        tlsOptions,
        listen,
        accessLog,
        onFailure,
        compression);
  }

  /// How TLS is spoken. Which protocols are offered inside of it is the server's business.
  public ServerOptions withTlsOptions(TlsOptions newOptions) {
    return new ServerOptions(
        limits,
        connections,
        grace,
        name,
        tls,
        newOptions,
        listen,
        accessLog,
        onFailure,
        compression);
  }

  /// How it listens: the backlog, and whether others share the address.
  public ServerOptions withListen(ListenOptions newListen) {
    return new ServerOptions(
        limits,
        connections,
        grace,
        name,
        tls,
        tlsOptions,
        newListen,
        accessLog,
        onFailure,
        compression);
  }

  /// Is told of every answer; null to tell nobody.
  public ServerOptions withAccessLog(@Nullable AccessLog newLog) {
    return new ServerOptions(
        limits, connections, grace, name, tls, tlsOptions, listen, newLog, onFailure, compression);
  }

  /// Is told of what handlers threw that was no [HttpFailure], in the connection's coroutine; null to log it.
  public ServerOptions withOnFailure(
      @Nullable BiConsumer<? super Request, ? super Throwable> newOnFailure) {
    return new ServerOptions(
        limits,
        connections,
        grace,
        name,
        tls,
        tlsOptions,
        listen,
        accessLog,
        newOnFailure,
        compression);
  }

  /// Compresses answers for clients that take it; null to compress none. It costs time of the loop, and tells attackers something of pages
  /// that have a secret beside what others chose (BREACH).
  public ServerOptions withCompression(@Nullable Compression newCompression) {
    return new ServerOptions(
        limits,
        connections,
        grace,
        name,
        tls,
        tlsOptions,
        listen,
        accessLog,
        onFailure,
        newCompression);
  }
}
