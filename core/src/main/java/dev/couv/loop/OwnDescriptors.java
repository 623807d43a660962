// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The descriptors of handles that the program knows by their numbers, because it asked for them or brought
/// them: two handles of one descriptor would take each other's events. Any thread.
public final class OwnDescriptors {
  private static final ConcurrentMap<Integer, NativeOwner> OWNERS = new ConcurrentHashMap<>();

  private OwnDescriptors() {}

  /// Throws if it is known to be a handle's.
  ///
  /// @throws IllegalArgumentException if a handle has it, of whatever loop
  public static void check(int descriptor) {
    NativeOwner owner = OWNERS.get(descriptor);
    if (owner != null) {
      throw new IllegalArgumentException("descriptor " + descriptor + " is that of " + owner);
    }
  }

  static void claim(int descriptor, NativeOwner owner) {
    OWNERS.put(descriptor, owner);
  }

  /// Before the system can give the number to somebody else.
  static void release(int descriptor, NativeOwner owner) {
    if (descriptor >= 0) {
      OWNERS.remove(descriptor, owner);
    }
  }
}
