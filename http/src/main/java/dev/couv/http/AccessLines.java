// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Accesses as lines of the "combined" format.
final class AccessLines {
  private static final DateTimeFormatter AT =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private AccessLines() {}

  static String combined(AccessLog.Access access) {
    Request request = access.request();
    StringBuilder line = new StringBuilder(160);
    line.append(host(access.peer().remote())).append(" - - [");
    AT.formatTo(access.at(), line);
    line.append("] \"");
    if (request == null) {
      line.append('-');
    } else {
      quoted(line, request.method() + " " + request.target() + " " + request.version());
    }
    line.append("\" ").append(access.status()).append(' ').append(access.bytes()).append(" \"");
    quoted(line, request == null ? null : request.header("referer"));
    quoted(line.append("\" \""), request == null ? null : request.header("user-agent"));
    return line.append('"').toString();
  }

  private static String host(@Nullable SocketAddress remote) {
    return remote instanceof InetSocketAddress address
        ? address.getAddress().getHostAddress()
        : "-";
  }

  /// Nothing in it ends the quotes or the line.
  private static void quoted(StringBuilder line, @Nullable String text) {
    if (text == null) {
      line.append('-');
      return;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c >= 0x7f || c == '"' || c == '\\') {
        line.append(String.format("\\x%02x", (int) c));
      } else {
        line.append(c);
      }
    }
  }
}
