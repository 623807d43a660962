// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// What may ask a run to end, for as long as it lasts.
final class ArmedTriggers implements AutoCloseable {
  private final Consumer<Duration> shutdown;
  private final List<Runnable> disarm = new ArrayList<>(0);
  private final AtomicBoolean asked = new AtomicBoolean();

  private ArmedTriggers(Consumer<Duration> shutdown) {
    this.shutdown = shutdown;
  }

  static ArmedTriggers arm(Consumer<Duration> shutdown, Optional<LoopOptions.ShutdownOn> on) {
    ArmedTriggers triggers = new ArmedTriggers(shutdown);
    on.ifPresent(triggers::arm);
    return triggers;
  }

  private void arm(LoopOptions.ShutdownOn on) {
    try {
      for (ShutdownTrigger trigger : on.triggers()) {
        disarm.add(trigger.arm(() -> request(on.grace())));
      }
    } catch (RuntimeException | Error refused) {
      close();
      throw refused;
    }
  }

  /// Any thread. Who asks twice is in a hurry.
  private void request(Duration grace) {
    shutdown.accept(asked.getAndSet(true) ? Duration.ZERO : grace);
  }

  @Override
  public void close() {
    disarm.forEach(Runnable::run);
    disarm.clear();
  }
}
