// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import org.jspecify.annotations.Nullable;

/// Parties that wait at one end of a channel, the oldest first. One can leave from the middle without
/// a search, and the others keep their order. Guarded by the channel's lock.
final class Line<T> {
  private @Nullable Party<T> first;
  private @Nullable Party<T> last;
  private int size;

  @Nullable Party<T> first() {
    return first;
  }

  int size() {
    return size;
  }

  void add(Party<T> party) {
    party.previous = last;
    if (last == null) {
      first = party;
    } else {
      last.next = party;
    }
    last = party;
    size++;
  }

  void remove(Party<T> party) {
    if (party.previous == null) {
      first = party.next;
    } else {
      party.previous.next = party.next;
    }
    if (party.next == null) {
      last = party.previous;
    } else {
      party.next.previous = party.previous;
    }
    party.previous = null;
    party.next = null;
    size--;
  }
}
