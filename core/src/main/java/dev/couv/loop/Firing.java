// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Something that has happened and must not be lost: the how-manieth it was, and how many were told of it and may
/// still see it.
public final class Firing {
  private final long serial;
  private int listeners;

  public Firing(long serial, int listeners) {
    this.serial = serial;
    this.listeners = listeners;
  }

  public long serial() {
    return serial;
  }

  /// One more was told.
  public void told() {
    listeners++;
  }

  /// One of them leaves without having seen it: true if it was the last.
  public boolean leftUnseen() {
    return --listeners == 0;
  }
}
