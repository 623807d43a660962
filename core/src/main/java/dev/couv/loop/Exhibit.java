// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.Map;

/// Something that many may wait at, and that can be looked at from outside: a channel, a pool. Its `toString` names it.
public interface Exhibit {
  /// What it is, in a word.
  String kind();

  /// What it has in hand, by name, in the order to be shown. Any thread; where it belongs to a loop that runs, as old as that
  /// one's last turn.
  Map<String, Object> figures();

  /// Somebody who waits at one.
  interface Visitor {
    Exhibit visited();
  }
}
