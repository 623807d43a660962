// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

/// With which requests that other sites cause a browser sends a cookie.
public enum SameSite {
  /// With none of them.
  STRICT("Strict"),
  /// Where the user follows a link here, and not with forms, pictures or scripts of other sites.
  LAX("Lax"),
  /// With all of them; such a cookie must be a secure one.
  NONE("None");

  private final String word;

  SameSite(String word) {
    this.word = word;
  }

  /// As a head has it.
  String word() {
    return word;
  }
}
