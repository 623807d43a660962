// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.net.TlsOptions;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How a [WebClient] asks.
///
/// @param connections how many requests go to one origin at once; others wait
/// @param total how many there are at once in all; others wait. Connections that are kept count as well: the oldest makes room
/// @param keep how long a connection is kept that nobody uses
/// @param turnTime how long a request may wait for others to end, where there are as many as may be
/// @param connectTime how long it may take to connect, with the handshake of TLS
/// @param headTime how long a server may take from the end of the request to the end of the answer's head
/// @param idle how long the next bytes of a body may take, either way
/// @param whole how long all of it may take, from the call to the last byte of the answer; null for any time
/// @param redirects how many are followed; 0 to follow none
/// @param head bytes of an answer's headers, and of its trailers
/// @param headers how many of either
/// @param gzip bytes of a body that was decompressed; 0 not to ask for compressed ones
/// @param name of the header `User-Agent`; empty to say nothing
/// @param tls how to speak TLS, and whom to trust
public record ClientOptions(
    int connections,
    int total,
    Duration keep,
    Duration turnTime,
    Duration connectTime,
    Duration headTime,
    Duration idle,
    @Nullable Duration whole,
    int redirects,
    int head,
    int headers,
    long gzip,
    String name,
    TlsOptions tls) {
  /// Eight connections to an origin and 256 in all, kept for half a minute; a minute for a request's turn, ten seconds to connect, half a minute for a
  /// head or between two pieces of a body; five redirects; 64 KiB in 200 headers; nothing compressed.
  public static final ClientOptions DEFAULT =
      new ClientOptions(
          8,
          256,
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          null,
          5,
          1 << 16,
          200,
          0,
          "couv",
          TlsOptions.DEFAULT);

  /// Refuses what is not positive, and times beyond 292 years.
  public ClientOptions {
    if (connections < 1 || total < 1) {
      throw new IllegalArgumentException(connections + " connections, " + total + " in all");
    }
    for (Duration time : new Duration[] {keep, turnTime, connectTime, headTime, idle}) {
      Durations.check(time);
    }
    if (whole != null) {
      Durations.check(whole);
    }
    if (redirects < 0 || gzip < 0) {
      throw new IllegalArgumentException(redirects + " redirects, " + gzip + " bytes");
    }
    if (head < 64 || head > 1 << 24 || headers < 1) {
      throw new IllegalArgumentException("a head of " + head + " bytes in " + headers);
    }
    HeaderChars.check("User-Agent", name);
    Objects.requireNonNull(tls, "tls");
  }

  /// At most that many requests to one origin at once, and that many in all.
  public ClientOptions withConnections(int toOne, int inAll) {
    return new ClientOptions(
        toOne,
        inAll,
        keep,
        turnTime,
        connectTime,
        headTime,
        idle,
        whole,
        redirects,
        head,
        headers,
        gzip,
        name,
        tls);
  }

  /// How many connections there may be in all at once, with those that are kept, of which the oldest makes room; who needs another waits.
  public ClientOptions withTotal(int most) {
    return new ClientOptions(
        connections,
        most,
        keep,
        turnTime,
        connectTime,
        headTime,
        idle,
        whole,
        redirects,
        head,
        headers,
        gzip,
        name,
        tls);
  }

  /// A connection that nobody uses is kept that long.
  public ClientOptions withKeep(Duration time) {
    return new ClientOptions(
        connections,
        total,
        time,
        turnTime,
        connectTime,
        headTime,
        idle,
        whole,
        redirects,
        head,
        headers,
        gzip,
        name,
        tls);
  }

  /// A request may wait that long for its turn, where as many are under way as may be: then it fails, and was not sent. Answers that nobody closes or
  /// reads to their end keep their places.
  public ClientOptions withTurnTime(Duration time) {
    return new ClientOptions(
        connections,
        total,
        keep,
        time,
        connectTime,
        headTime,
        idle,
        whole,
        redirects,
        head,
        headers,
        gzip,
        name,
        tls);
  }

  /// Connecting may take that long.
  public ClientOptions withConnectTime(Duration time) {
    return new ClientOptions(
        connections,
        total,
        keep,
        turnTime,
        time,
        headTime,
        idle,
        whole,
        redirects,
        head,
        headers,
        gzip,
        name,
        tls);
  }

  /// A server may take that long until the head of its answer is here.
  public ClientOptions withHeadTime(Duration time) {
    return new ClientOptions(
        connections,
        total,
        keep,
        turnTime,
        connectTime,
        time,
        idle,
        whole,
        redirects,
        head,
        headers,
        gzip,
        name,
        tls);
  }

  /// The next bytes of a body may take that long.
  public ClientOptions withIdle(Duration time) {
    return new ClientOptions(
        connections,
        total,
        keep,
        turnTime,
        connectTime,
        headTime,
        time,
        whole,
        redirects,
        head,
        headers,
        gzip,
        name,
        tls);
  }

  /// All of it may take that long, to the last byte of the answer; null for any time.
  public ClientOptions withWhole(@Nullable Duration time) {
    return new ClientOptions(
        connections,
        total,
        keep,
        turnTime,
        connectTime,
        headTime,
        idle,
        time,
        redirects,
        head,
        headers,
        gzip,
        name,
        tls);
  }

  /// At most that many redirects are followed; 0 for none.
  public ClientOptions withRedirects(int most) {
    return new ClientOptions(
        connections,
        total,
        keep,
        turnTime,
        connectTime,
        headTime,
        idle,
        whole,
        most,
        head,
        headers,
        gzip,
        name,
        tls);
  }

  /// Heads of answers have at most that many bytes in that many headers.
  public ClientOptions withHead(int bytes, int count) {
    return new ClientOptions(
        connections,
        total,
        keep,
        turnTime,
        connectTime,
        headTime,
        idle,
        whole,
        redirects,
        bytes,
        count,
        gzip,
        name,
        tls);
  }

  /// Asks for compressed bodies, and decompresses them as they are read, to no more than that many bytes; 0 not to.
  public ClientOptions withGzip(long most) {
    return new ClientOptions(
        connections,
        total,
        keep,
        turnTime,
        connectTime,
        headTime,
        idle,
        whole,
        redirects,
        head,
        headers,
        most,
        name,
        tls);
  }

  /// The header `User-Agent`; empty to say nothing.
  public ClientOptions withName(String newName) {
    return new ClientOptions(
        connections,
        total,
        keep,
        turnTime,
        connectTime,
        headTime,
        idle,
        whole,
        redirects,
        head,
        headers,
        gzip,
        newName,
        tls);
  }

  /// How to speak TLS, and whom to trust.
  public ClientOptions withTls(TlsOptions newTls) {
    return new ClientOptions(
        connections,
        total,
        keep,
        turnTime,
        connectTime,
        headTime,
        idle,
        whole,
        redirects,
        head,
        headers,
        gzip,
        name,
        newTls);
  }
}
