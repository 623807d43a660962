// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.serve.Refused;

/// The forms of what is asked for (RFC 9112, 3.2).
final class Targets {
  private Targets() {}

  /// With the path first, whether it came so or as a whole URI.
  static String originForm(String method, String target) throws Refused {
    if (target.charAt(0) == '/') {
      return target;
    }
    if (target.equals("*") && method.equals("OPTIONS")) {
      return target;
    }
    int authority =
        target.regionMatches(true, 0, "http://", 0, 7)
            ? 7
            : target.regionMatches(true, 0, "https://", 0, 8) ? 8 : -1;
    if (authority < 0 || authority == target.length()) {
      throw new Refused(
          method.equals("CONNECT") ? 501 : 400,
          method.equals("CONNECT") ? "no tunnels here" : "no target");
    }
    int path = authority;
    while (path < target.length() && "/?#".indexOf(target.charAt(path)) < 0) {
      path++;
    }
    String rest = target.substring(path);
    return rest.startsWith("/") ? rest : "/" + rest;
  }
}
