// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.time.Time;
import java.time.Duration;

/// A program for a JVM that has no flight recorder.
final class WithoutRecorder {
  private WithoutRecorder() {}

  public static void main(String[] arguments) throws Exception {
    System.out.println("recorder: " + ModuleLayer.boot().findModule("jdk.jfr").isPresent());
    Loop.run(
        LoopOptions.DEFAULT.withTurnLimit(Duration.ofMillis(1)),
        () -> {
          Coroutine.spawn(() -> Time.sleep(Duration.ofMillis(2))).await();
          long end = System.nanoTime() + 5_000_000;
          while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
          }
        });
    System.out.println("ran");
  }
}
