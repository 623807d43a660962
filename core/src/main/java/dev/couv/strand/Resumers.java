// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import org.jspecify.annotations.Nullable;

/// Those who resume a strand explicitly: the one who waits for it to suspend, because it resumed it; and those who have
/// asked to while it was in the middle of an await, first come first served.
final class Resumers {
  private @Nullable Resumption present;
  private @Nullable Resumption asking;

  /// Whether somebody waits for the strand to suspend.
  boolean isAwaited() {
    return present != null;
  }

  void resumedBy(Resumption by) {
    present = by;
  }

  /// The strand could not be started: whoever wanted that is thrown it.
  void forget() {
    present = null;
  }

  void ask(Resumption by) {
    Resumption last = asking;
    if (last == null) {
      asking = by;
      return;
    }
    while (last.next != null) {
      last = last.next;
    }
    last.next = by;
  }

  /// The first who has asked, if there is one: it waits now until the strand suspends again.
  @Nullable Resumption takeAsking() {
    Resumption first = asking;
    if (first != null) {
      asking = first.next;
      release();
      present = first;
    }
    return first;
  }

  /// Hands that to whoever waits.
  void hand(@Nullable Object value, @Nullable Throwable failure) {
    if (present != null) {
      present.hand(value, failure);
    }
  }

  /// The strand suspends, ends or blocks: whoever resumed it goes on at once.
  void release() {
    Resumption released = present;
    if (released != null) {
      present = null;
      released.release();
    }
  }

  /// The strand has ended.
  void refuse(Object strand) {
    for (Resumption asked = asking; asked != null; asked = asked.next) {
      asked.refuse(strand);
    }
    asking = null;
  }
}
