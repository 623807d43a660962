// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Is told of every request that was answered, in the connection's coroutine.
@FunctionalInterface
public interface AccessLog {
  /// A request and what became of it. What this throws is logged, and nothing else comes of it.
  void served(Access access);

  /// A request and what became of it.
  ///
  /// @param request what came; null if it was so malformed that nobody knows
  /// @param peer who sent it
  /// @param status what it was answered with
  /// @param bytes how many bytes of body were sent
  /// @param time from the end of its head to the end of its answer
  record Access(@Nullable Request request, Peer peer, int status, long bytes, Duration time) {
    /// As a line in the "combined" format, which most tools read.
    @Override
    public String toString() {
      return Lines.combined(this);
    }
  }

  /// One that gives each as a line in the "combined" format, which most tools read: `AccessLog.to(IO::println)`.
  static AccessLog to(Consumer<? super String> lines) {
    return access -> lines.accept(access.toString());
  }

  /// How accesses are written.
  final class Lines {
    private static final DateTimeFormatter AT =
        DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private Lines() {}

    static String combined(Access access) {
      Request request = access.request();
      StringBuilder line = new StringBuilder(160);
      line.append(host(access.peer().remote())).append(" - - [");
      AT.formatTo(Instant.now(), line);
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
}
