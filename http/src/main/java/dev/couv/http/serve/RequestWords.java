// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

/// What the words of a request may be made of, in every version of HTTP: what one of them refuses no other may let through.
public final class RequestWords {
  private RequestWords() {}

  /// Whether a method may have it.
  public static boolean isOfMethod(int c) {
    return (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || (c >= '0' && c <= '9');
  }

  /// Whether a target may have it: no controls, nothing beyond ASCII (as a byte that is negative), and no fragment, which stays with who
  /// asks.
  public static boolean isOfTarget(int c) {
    return c > ' ' && c < 127 && c != '#';
  }

  /// Whether it can be a host: names, numbers, and what RFC 3986 allows beside them, and a port that is a number.
  public static boolean isHost(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c <= ' ' || c >= 127 || "/@?#\\,\"<>^`{|}".indexOf(c) >= 0) {
        return false;
      }
    }
    return hasPort(host);
  }

  /// Whether what is behind the last colon, outside of an address in brackets, has digits alone.
  private static boolean hasPort(String host) {
    int colon = host.lastIndexOf(':');
    if (colon >= 0 && host.indexOf(']', colon) < 0) {
      for (int i = colon + 1; i < host.length(); i++) {
        if (host.charAt(i) < '0' || host.charAt(i) > '9') {
          return false;
        }
      }
    }
    return true;
  }
}
