// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.serve.Refused;
import org.jspecify.annotations.Nullable;

/// The forms of what is asked for (RFC 9112, 3.2).
final class Targets {
  private Targets() {}

  /// With the path first, whether it came so or as a whole URI. That names a host, too, which is the one of the header: who looks at one of
  /// them and who looks at the other must not see two.
  static String originForm(String method, String target, @Nullable String host) throws Refused {
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
          method.equals("CONNECT")
              ? "no tunnels here"
              : "a target that is neither a path nor a URI");
    }
    int path = authority;
    while (path < target.length() && "/?#".indexOf(target.charAt(path)) < 0) {
      path++;
    }
    String named = target.substring(authority, path);
    if (named.isEmpty() || (host != null && !named.equalsIgnoreCase(host))) {
      throw new Refused(400, "another host in the target");
    }
    String rest = target.substring(path);
    return rest.startsWith("/") ? rest : "/" + rest;
  }
}
