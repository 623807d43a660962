// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.TimerEntry;
import dev.couv.loop.WaitOperation;
import java.time.Duration;

/// A pause before something is tried again that the system has no room for now and gives no sign of.
final class BackoffOperation extends WaitOperation {
  private static final Duration LONGEST = Duration.ofMillis(50);

  private final EventLoop loop;
  private final String purpose;
  private final Duration pause;

  private final TimerEntry entry =
      new TimerEntry() {
        @Override
        protected void due() {
          told();
        }
      };

  /// The pauses double with each attempt.
  BackoffOperation(EventLoop loop, int attempt, String purpose) {
    this.loop = loop;
    this.purpose = purpose;
    Duration doubled = Duration.ofMillis(1L << Math.min(attempt, 10));
    this.pause = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
  }

  @Override
  protected boolean enter() {
    loop.timers().add(entry, loop.clock() + pause.toNanos());
    return false;
  }

  @Override
  protected void leave() {
    loop.timers().remove(entry);
  }

  @Override
  public String toString() {
    return purpose + ", again in " + pause.toMillis() + " ms";
  }
}
