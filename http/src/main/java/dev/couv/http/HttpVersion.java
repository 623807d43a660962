// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

/// The version of HTTP in which a message came.
public enum HttpVersion {
  /// One request per connection, unless both sides say otherwise.
  HTTP_1_0("HTTP/1.0"),
  /// Connections that stay, and bodies of an unknown length.
  HTTP_1_1("HTTP/1.1"),
  /// Many requests at once over one connection.
  HTTP_2("HTTP/2.0");

  private final String text;

  HttpVersion(String text) {
    this.text = text;
  }

  /// As it is written: `HTTP/1.1`.
  @Override
  public String toString() {
    return text;
  }
}
