// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How to look a name up.
///
/// @param family addresses of which family; null for both
/// @param kind services of which kind
/// @param numeric whether the host must be a literal and the service a number, so that nobody is asked
public record ResolveOptions(@Nullable ProtocolFamily family, SocketKind kind, boolean numeric) {
  /// Addresses of both families, services of any kind, names and literals.
  public static final ResolveOptions DEFAULT = new ResolveOptions(null, SocketKind.ANY, false);

  /// Options that ask for what there can be.
  ///
  /// @throws IllegalArgumentException if the family is neither that of IPv4 nor that of IPv6
  public ResolveOptions {
    Objects.requireNonNull(kind, "kind");
    if (family != null
        && family != StandardProtocolFamily.INET
        && family != StandardProtocolFamily.INET6) {
      throw new IllegalArgumentException("names have addresses of INET and INET6, not " + family);
    }
  }

  /// These options, for addresses of that family only, or of both if it is null.
  public ResolveOptions withFamily(@Nullable ProtocolFamily newFamily) {
    return new ResolveOptions(newFamily, kind, numeric);
  }

  /// These options, for services of that kind only: a service's name may stand for another port there.
  public ResolveOptions withKind(SocketKind newKind) {
    return new ResolveOptions(family, newKind, numeric);
  }

  /// These options, for a host that must be a literal and a service that must be a number, or not.
  public ResolveOptions withNumeric(boolean newNumeric) {
    return new ResolveOptions(family, kind, newNumeric);
  }

  boolean wants(StandardProtocolFamily wanted) {
    return family == null || family == wanted;
  }
}
