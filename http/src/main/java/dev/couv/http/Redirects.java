// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where an answer sends its client, and with what (RFC 9110, 15.4).
final class Redirects {
  /// What was meant for one origin, and is not for another.
  private static final Set<String> CREDENTIALS =
      Set.of("authorization", "cookie", "cookie2", "proxy-authorization", "host", "origin");

  /// What told of a body that is not sent any more.
  private static final Set<String> OF_BODY =
      Set.of("content-type", "content-encoding", "content-language", "content-location");

  private Redirects() {}

  /// The request to make in place of the first; null if the answer is for whoever asked: because it is no redirect, or one
  /// that leads from TLS to where everybody listens, is no URI of HTTP, or wants a body again that was written as it went.
  static @Nullable ClientRequest follow(
      ClientRequest first, int status, @Nullable String location) {
    boolean keeps = status == 307 || status == 308;
    if (location == null || !(keeps || status == 301 || status == 302 || status == 303)) {
      return null;
    }
    URI uri;
    Origin before = Origin.of(first.uri(), "http", "https");
    Origin after;
    try {
      uri = References.resolve(first.uri(), Percent.ofBytes(location));
      after = Origin.of(uri, "http", "https");
    } catch (IllegalArgumentException elsewhere) {
      return null;
    }
    if (before.secure() && !after.secure()) {
      return null;
    }
    String method = method(first.method(), status);
    boolean body = method.equals(first.method()) && !(first.content() instanceof Content.None);
    if (body && first.content() instanceof Content.Streamed) {
      return null;
    }
    Headers headers = first.headers();
    if (!after.equals(before)) {
      headers = without(headers, CREDENTIALS);
    }
    if (!body) {
      headers = without(headers, OF_BODY);
    }
    return first.to(method, uri, headers, body ? first.content() : Content.NONE);
  }

  private static String method(String method, int status) {
    return switch (status) {
      case 303 -> method.equals("HEAD") ? "HEAD" : "GET";
      case 301, 302 -> method.equals("POST") ? "GET" : method;
      default -> method;
    };
  }

  private static Headers without(Headers headers, Set<String> names) {
    Headers left = headers;
    for (String name : names) {
      left = left.without(name);
    }
    return left;
  }
}
