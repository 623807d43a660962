// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.net.Tcp;
import dev.couv.net.Tls;
import dev.couv.net.TlsOptions;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;

/// Where a request goes: what can share a connection, and may see each other's credentials.
///
/// @param name without the brackets of an address
record Origin(boolean secure, String name, int port) {
  /// The origin of a URI of one of the two schemes, the plain and the secure.
  ///
  /// @throws IllegalArgumentException if it is another, has no host, or has a user in it
  static Origin of(URI uri, String plain, String tls) {
    String scheme = uri.getScheme();
    boolean secure = tls.equalsIgnoreCase(scheme);
    if (!secure && !plain.equalsIgnoreCase(scheme)) {
      throw new IllegalArgumentException("neither " + plain + " nor " + tls + ": " + uri);
    }
    String host = uri.getHost();
    if (host == null || host.isEmpty() || uri.getRawUserInfo() != null || uri.getPort() > 65535) {
      throw new IllegalArgumentException("no host and port, or more than those: " + uri);
    }
    String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    int port = uri.getPort() < 0 ? secure ? 443 : 80 : uri.getPort();
    return new Origin(secure, name.toLowerCase(Locale.ROOT), port);
  }

  /// What is asked for: the path and the query, in ASCII.
  static String target(URI uri) {
    URI ascii = URI.create(uri.toASCIIString());
    String path = ascii.getRawPath() == null ? "" : ascii.getRawPath();
    String query = ascii.getRawQuery();
    return (path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
  }

  /// The header `Host`. A zone is of this machine, and not the other side's business.
  String host() {
    int zone = name.indexOf('%');
    String said = name.indexOf(':') >= 0 && zone >= 0 ? name.substring(0, zone) : name;
    String host = said.indexOf(':') >= 0 ? "[" + said + "]" : said;
    return port == (secure ? 443 : 80) ? host : host + ":" + port;
  }

  /// A new connection.
  ByteStream connect(TlsOptions tls) throws IOException {
    return secure
        ? Tls.connect(name, port, tls.withApplicationProtocols("http/1.1"))
        : Tcp.connect(name, port);
  }

  @Override
  public String toString() {
    return (secure ? "https://" : "http://") + host();
  }
}
