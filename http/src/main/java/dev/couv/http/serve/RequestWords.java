// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.http.Headers;
import java.util.List;

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

  /// Whether the client waits for a word before it sends the body.
  ///
  /// @throws Refused if it expects something else
  public static boolean isAwaiting(Headers headers) throws Refused {
    List<String> expected = headers.all("expect");
    for (String each : expected) {
      if (!each.equalsIgnoreCase("100-continue")) {
        throw new Refused(417, "cannot do what is expected");
      }
    }
    return !expected.isEmpty();
  }

  /// Whether it can be a host: a name, or an address in brackets, of what RFC 3986 allows, and a port that is a number. Nothing at all is what
  /// is said where a target has no host.
  public static boolean isHost(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c <= ' ' || c >= 127 || "/@?#\\,\"<>^`{|}".indexOf(c) >= 0) {
        return false;
      }
      if (c == '%' && !isEncoded(host, i + 1)) {
        return false;
      }
    }
    int end = host.startsWith("[") ? endOfAddress(host) : endOfName(host);
    return end == host.length() || (end > 0 && isPort(host, end));
  }

  /// Whether two digits are behind a `%`, and none of the controls: whoever decodes a name gets what would not have been let through.
  private static boolean isEncoded(String host, int at) {
    if (at + 1 >= host.length()) {
      return false;
    }
    int high = digit(host.charAt(at));
    int low = digit(host.charAt(at + 1));
    return high > 1 && low >= 0 && !(high == 7 && low == 15);
  }

  private static int digit(char c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }

  /// Behind the brackets; -1 if there is no address in them. Addresses of versions to come are none yet.
  private static int endOfAddress(String host) {
    int end = host.indexOf(']') + 1;
    int colons = 0;
    boolean digits = false;
    for (int i = 1; i < end - 1; i++) {
      char c = host.charAt(i);
      if (c == '%' && colons > 0) {
        break; // the rest names a link of the machine
      }
      if (c != ':' && c != '.' && digit(c) < 0) {
        return -1;
      }
      colons += c == ':' ? 1 : 0;
      digits |= c != ':' && c != '.';
    }
    return colons > 1 && (digits || host.startsWith("[::]")) ? end : -1;
  }

  /// Where the port begins, or the end; -1 if a bracket is in it.
  private static int endOfName(String host) {
    if (host.indexOf('[') >= 0 || host.indexOf(']') >= 0) {
      return -1;
    }
    int colon = host.indexOf(':');
    return colon < 0 ? host.length() : colon;
  }

  /// Whether there is a colon, and behind it a number that a port can have, or nothing.
  private static boolean isPort(String host, int at) {
    int port = 0;
    for (int i = at + 1; i < host.length(); i++) {
      int digit = host.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      port = Math.min(10 * port + digit, 1 << 16);
    }
    return host.charAt(at) == ':' && port < 1 << 16;
  }
}
