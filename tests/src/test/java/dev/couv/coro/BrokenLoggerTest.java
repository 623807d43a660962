// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A logger that throws takes nothing with it.
class BrokenLoggerTest {
  /// Throws a limited number of times, so that who logs each failure ends some time.
  private static final class Broken extends Handler {
    static final int LIMIT = 20;

    final AtomicInteger calls = new AtomicInteger();

    @Override
    public void publish(LogRecord logged) {
      if (calls.incrementAndGet() < LIMIT) {
        throw new IllegalStateException("no space left");
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private final Logger logger = Logger.getLogger("dev.couv");

  @Test
  void aFailureThatCannotBeLoggedIsNotReportedAgain() {
    Broken broken = new Broken();
    logger.setUseParentHandlers(false);
    logger.addHandler(broken);
    try (Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            throw new IllegalArgumentException("nobody awaits this");
          });

      assertFalse(loop.run(Mode.LOOP));
    } finally {
      logger.removeHandler(broken);
      logger.setUseParentHandlers(true);
    }

    assertEquals(1, broken.calls.get());
  }

  /// It says so in the log, once per process.
  @Test
  @Tag("jvm")
  @Tag("hand-over-engine")
  void theSlowerEngineStartsAllTheSame() throws Exception {
    assertEquals(List.of("ran", "logged 1"), FreshJvm.run(FirstLoop.class));
  }

  static final class FirstLoop {
    public static void main(String[] args) throws Exception {
      Broken broken = new Broken();
      Logger logger = Logger.getLogger("dev.couv");
      logger.setUseParentHandlers(false);
      logger.addHandler(broken);
      Loop.run(() -> System.out.println("ran"));
      System.out.println("logged " + broken.calls);
    }
  }
}
