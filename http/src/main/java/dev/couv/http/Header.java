// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

/// A line of a head: a name, whose case does not matter, and a value.
public record Header(String name, String value) {
  /// As it is sent.
  @Override
  public String toString() {
    return name + ": " + value;
  }
}
