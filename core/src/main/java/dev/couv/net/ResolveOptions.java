// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How to look a name up: addresses of which family (null for both), services of which kind, and
/// whether the name must be a literal, so that nobody is asked.
public record ResolveOptions(@Nullable ProtocolFamily family, SocketKind kind, boolean numeric) {
  public static final ResolveOptions DEFAULT = new ResolveOptions(null, SocketKind.ANY, false);

  public ResolveOptions {
    Objects.requireNonNull(kind, "kind");
    if (family != null
        && family != StandardProtocolFamily.INET
        && family != StandardProtocolFamily.INET6) {
      throw new IllegalArgumentException("names have addresses of INET and INET6, not " + family);
    }
  }

  /// Only addresses of that family, or of both if it is null.
  public ResolveOptions withFamily(@Nullable ProtocolFamily newFamily) {
    return new ResolveOptions(newFamily, kind, numeric);
  }

  /// Only services of that kind: a service's name may stand for another port there.
  public ResolveOptions withKind(SocketKind newKind) {
    return new ResolveOptions(family, newKind, numeric);
  }

  /// Whether the host must be a literal and the service a number.
  public ResolveOptions withNumeric(boolean newNumeric) {
    return new ResolveOptions(family, kind, newNumeric);
  }

  boolean wants(StandardProtocolFamily wanted) {
    return family == null || family == wanted;
  }
}
