// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// Whether a TLS server asks its client for a certificate.
public enum ClientCertificate {
  /// Does not ask.
  NONE,
  /// Asks; a client without one is welcome, one with a certificate that is not trusted is not.
  WANT,
  /// A client without a trusted certificate is refused.
  NEED
}
