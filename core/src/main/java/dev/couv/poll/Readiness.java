// SPDX-License-Identifier: Apache-2.0
package dev.couv.poll;

import dev.couv.world.PollHandle;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// What a descriptor can be ready for.
public enum Readiness {
  /// A read would not block: there are bytes, or a connection, or the end.
  READABLE(PollHandle.READABLE),
  /// A write would not block.
  WRITABLE(PollHandle.WRITABLE),
  /// The other side has shut down its writing, or is gone.
  DISCONNECTED(PollHandle.DISCONNECTED),
  /// Out-of-band data, or an edge of a device.
  PRIORITIZED(PollHandle.PRIORITIZED);

  /// By mask: made once, so that telling what is ready allocates nothing.
  private static final List<Set<Readiness>> SETS =
      IntStream.range(0, 16).mapToObj(Readiness::setOf).toList();

  private final int mask;

  Readiness(int mask) {
    this.mask = mask;
  }

  static int mask(Readiness... wanted) {
    int mask = 0;
    for (Readiness one : wanted) {
      mask |= one.mask;
    }
    return mask;
  }

  static Set<Readiness> set(int mask) {
    return SETS.get(mask);
  }

  private static Set<Readiness> setOf(int mask) {
    EnumSet<Readiness> set = EnumSet.noneOf(Readiness.class);
    for (Readiness one : values()) {
      if ((mask & one.mask) != 0) {
        set.add(one);
      }
    }
    return Collections.unmodifiableSet(set);
  }
}
