// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What a peer may ask for, in bytes and in time. Whoever goes beyond is answered by the status that says so, and the
/// connection is closed; others do not notice.
///
/// @param line bytes of the request line: 414
/// @param head bytes of all headers, and of all trailers: 431
/// @param headers how many of either: 431
/// @param body bytes of a body: 413
/// @param skipped bytes of a body that a handler did not read and the connection still skips; of more it is closed
/// @param idle how long a connection may stay without a request
/// @param headTime how long a head may take, from its first byte to its last: 408; and a handshake of TLS, at most
/// @param bodyTime how long the next bytes of a body may take: 408
/// @param bodyRate bytes that a body has to bring in each second that is waited for it, on average, beyond the first
///     `bodyTime`: 408. 0 if it may take any time
/// @param sendTime how long a client may take nothing of an answer
/// @param streams requests at once over one connection of HTTP/2: more are refused, for the client to try again. 0 if HTTP/2
///     is not spoken
/// @param whole how long a request may take to come, from the first byte of its head (over HTTP/2 from the end of its head) to the last of its body: 408. null
///     if only its parts are limited
public record HttpLimits(
    int line,
    int head,
    int headers,
    long body,
    long skipped,
    Duration idle,
    Duration headTime,
    Duration bodyTime,
    int bodyRate,
    Duration sendTime,
    int streams,
    @Nullable Duration whole) {
  /// 8 KiB for a request line, 16 KiB in 100 headers, bodies of 16 MiB, of which 256 KiB are skipped; a minute without a
  /// request, ten seconds for a head, half a minute for a part of a body or of an answer, 256 bytes of a body in a second,
  /// 100 requests at once.
  public static final HttpLimits DEFAULT =
      new HttpLimits(
          1 << 13,
          1 << 14,
          100,
          1 << 24,
          1 << 18,
          Duration.ofMinutes(1),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          256,
          Duration.ofSeconds(30),
          100,
          null);

  /// Refuses what is not positive, and times beyond 292 years.
  public HttpLimits {
    if (line < 16 || head < 16 || headers < 1 || line > 1 << 24 || head > 1 << 24) {
      throw new IllegalArgumentException("a head of " + line + " and " + head + " bytes");
    }
    if (body < 0 || skipped < 0 || bodyRate < 0) {
      throw new IllegalArgumentException(
          "a body of " + body + " bytes, " + skipped + " skipped, " + bodyRate + " in a second");
    }
    if (streams < 0) {
      throw new IllegalArgumentException(streams + " requests at once");
    }
    for (Duration time : new Duration[] {idle, headTime, bodyTime, sendTime}) {
      Durations.check(time);
    }
    if (whole != null) {
      Durations.check(whole);
    }
  }

  /// Request lines of at most that many bytes.
  public HttpLimits withLine(int bytes) {
    return new HttpLimits(
        bytes, head, headers, body, skipped, idle, headTime, bodyTime, bodyRate, sendTime, streams,
        whole);
  }

  /// Headers of at most that many bytes in all.
  public HttpLimits withHead(int bytes) {
    return new HttpLimits(
        line, bytes, headers, body, skipped, idle, headTime, bodyTime, bodyRate, sendTime, streams,
        whole);
  }

  /// At most that many headers.
  public HttpLimits withHeaders(int count) {
    return new HttpLimits(
        line, head, count, body, skipped, idle, headTime, bodyTime, bodyRate, sendTime, streams,
        whole);
  }

  /// Bodies of at most that many bytes.
  public HttpLimits withBody(long bytes) {
    return new HttpLimits(
        line, head, headers, bytes, skipped, idle, headTime, bodyTime, bodyRate, sendTime, streams,
        whole);
  }

  /// At most that many bytes of a body are skipped when a handler did not read it.
  public HttpLimits withSkipped(long bytes) {
    return new HttpLimits(
        line, head, headers, body, bytes, idle, headTime, bodyTime, bodyRate, sendTime, streams,
        whole);
  }

  /// A connection may stay that long without a request.
  public HttpLimits withIdle(Duration time) {
    return new HttpLimits(
        line, head, headers, body, skipped, time, headTime, bodyTime, bodyRate, sendTime, streams,
        whole);
  }

  /// A head may take that long.
  public HttpLimits withHeadTime(Duration time) {
    return new HttpLimits(
        line, head, headers, body, skipped, idle, time, bodyTime, bodyRate, sendTime, streams,
        whole);
  }

  /// The next bytes of a body may take that long.
  public HttpLimits withBodyTime(Duration time) {
    return new HttpLimits(
        line, head, headers, body, skipped, idle, headTime, time, bodyRate, sendTime, streams,
        whole);
  }

  /// A body has to bring that many bytes in each second that is waited for it, on average; 0 if it may take any time.
  public HttpLimits withBodyRate(int bytes) {
    return new HttpLimits(
        line, head, headers, body, skipped, idle, headTime, bodyTime, bytes, sendTime, streams,
        whole);
  }

  /// A client may take nothing of an answer for that long.
  public HttpLimits withSendTime(Duration time) {
    return new HttpLimits(
        line, head, headers, body, skipped, idle, headTime, bodyTime, bodyRate, time, streams,
        whole);
  }

  /// At most that many requests at once over one connection of HTTP/2; 0 to speak HTTP/1.1 alone.
  public HttpLimits withStreams(int most) {
    return new HttpLimits(
        line, head, headers, body, skipped, idle, headTime, bodyTime, bodyRate, sendTime, most,
        whole);
  }

  /// A whole request may take that long to come, whatever its parts take; null for any time. How long its handler may take is
  /// another question.
  public HttpLimits withWhole(@Nullable Duration time) {
    return new HttpLimits(
        line, head, headers, body, skipped, idle, headTime, bodyTime, bodyRate, sendTime, streams,
        time);
  }
}
