// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// After each test no thread of the client of NATS is left.
final class NoThreadsLeft implements AfterEachCallback {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  static List<String> left() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("couv-nats-"))
        .toList();
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    long limit = System.nanoTime() + PATIENCE.toNanos();
    while (!left().isEmpty()) {
      if (System.nanoTime() - limit > 0) {
        throw new AssertionError("threads are left: " + left());
      }
      Thread.sleep(5);
    }
  }
}
