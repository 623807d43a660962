// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.costs;

/// What coroutines do all day, by one who has such. Each method does that much in all, divided among so many parties at a time, and
/// returns when it is done.
interface Costs {
  /// Starts parties and waits for their end.
  void spawn(int parties, int operations) throws Exception;

  /// Parties let each other run.
  void pause(int parties, int operations) throws Exception;

  /// One of each pair sends what the other receives; nothing is kept between them.
  void channel(int pairs, int operations) throws Exception;

  /// All want the same lock, and who has it lets others run before he gives it up.
  void mutex(int parties, int operations) throws Exception;

  /// So many wait for the same moment, in so many milliseconds.
  Sleepers sleepers(int count, int millis) throws Exception;

  /// Those who sleep.
  interface Sleepers {
    /// Returns when the last of them was woken.
    void await() throws Exception;
  }
}
