// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// What a reference means where it is found (RFC 3986, 5.2). [URI#resolve] knows the RFC before that, in which a query alone lost the name of the page, and what
/// is empty was the directory.
final class References {
  private References() {}

  /// That reference in an answer to that URI, which has a host. One that names no fragment has that of the URI (RFC 9110, 10.2.2).
  ///
  /// @throws IllegalArgumentException if it is none
  static URI resolve(URI base, String reference) {
    URI given = URI.create(reference);
    if (given.isOpaque()) {
      return given;
    }
    String scheme = given.getScheme();
    String authority = given.getRawAuthority();
    String path = given.getRawPath();
    String query = given.getRawQuery();
    String fragment = given.getRawFragment();
    if (scheme == null) {
      scheme = base.getScheme();
      if (authority == null) {
        authority = base.getRawAuthority();
        if (path.isEmpty()) {
          path = base.getRawPath();
          query = query == null ? base.getRawQuery() : query;
        } else if (!path.startsWith("/")) {
          String beside = base.getRawPath();
          path = beside.substring(0, beside.lastIndexOf('/') + 1) + path;
          path = path.startsWith("/") ? path : "/" + path;
        }
      }
    }
    StringBuilder whole = new StringBuilder(scheme).append(':');
    append(whole, "//", authority);
    append(whole, "", withoutDots(path));
    append(whole, "?", query);
    append(whole, "#", fragment == null ? base.getRawFragment() : fragment);
    return URI.create(whole.toString());
  }

  private static void append(StringBuilder whole, String before, @Nullable String part) {
    if (part != null) {
      whole.append(before).append(part);
    }
  }

  /// The absolute path without the pieces `.` and `..`; what leads above the root leads to it (5.2.4).
  private static String withoutDots(String path) {
    if (!path.contains("/.")) {
      return path;
    }
    Deque<String> kept = new ArrayDeque<>();
    String last = "";
    for (String piece : path.substring(1).split("/", -1)) {
      last = piece;
      if (piece.equals("..")) {
        kept.pollLast();
      } else if (!piece.equals(".")) {
        kept.addLast(piece);
      }
    }
    boolean directory = last.equals(".") || last.equals("..");
    return "/" + String.join("/", kept) + (directory && !kept.isEmpty() ? "/" : "");
  }
}
