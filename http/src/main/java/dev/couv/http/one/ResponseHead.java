// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.Headers;
import dev.couv.http.HttpVersion;

/// The head of an answer.
///
/// @param hasBody whether something follows it
public record ResponseHead(int status, HttpVersion version, Headers headers, boolean hasBody) {
  /// Whether the server leaves the connection open.
  boolean isKept() {
    return version == HttpVersion.HTTP_1_1
        ? !headers.contains(KnownNames.CONNECTION, "close")
        : headers.contains(KnownNames.CONNECTION, "keep-alive");
  }
}
