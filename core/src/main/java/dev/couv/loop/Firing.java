// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

/// An event on a key that must not be lost: the how-manieth it was, and how many were told of it and may
/// still see it.
final class Firing {
  private final long serial;
  private int listeners;

  Firing(long serial, int listeners) {
    this.serial = serial;
    this.listeners = listeners;
  }

  long serial() {
    return serial;
  }

  /// One of them leaves without having seen it: true if it was the last.
  boolean leftUnseen() {
    return --listeners == 0;
  }
}
