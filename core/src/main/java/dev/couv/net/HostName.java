// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;

/// The host a client wants: a name, which certificates carry and SNI tells, or the literal of an
/// address, for which there is no SNI.
record HostName(String bare, boolean isLiteral) {
  /// Without the brackets of an IPv6 literal, and the dot at the end of an absolute name.
  static HostName of(String host) {
    String bare = host;
    if (bare.startsWith("[") && bare.endsWith("]")) {
      bare = bare.substring(1, bare.length() - 1);
    }
    if (bare.endsWith(".")) {
      bare = bare.substring(0, bare.length() - 1);
    }
    if (bare.isBlank()) {
      throw new IllegalArgumentException("no host name: \"" + host + "\"");
    }
    return new HostName(bare, isLiteral(bare));
  }

  /// What SNI tells: nothing for a literal, or a name that is none by its rules, such as `my_host`.
  List<SNIServerName> serverNames() {
    try {
      return isLiteral ? List.of() : List.of(new SNIHostName(bare));
    } catch (IllegalArgumentException notANameForSni) {
      return List.of();
    }
  }

  private static boolean isLiteral(String bare) {
    return bare.indexOf(':') >= 0 || bare.matches("\\d{1,3}(\\.\\d{1,3}){3}");
  }

  @Override
  public String toString() {
    return bare;
  }
}
