// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.couv.coro.CapturedLog;
import dev.couv.coro.Loop;
import dev.couv.sync.Promise;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a pool shows of itself to who looks from outside.
class PoolReportsTest {
  @Test
  void itsThreadsAndTasksHaveNamesInAThreadDump(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("dump.txt");
    AtomicBoolean ends = new AtomicBoolean();
    try (LoopPool pool = LoopPool.open(1)) {
      Promise<?> spinning =
          pool.submit(
              () -> {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
                ends.set(true);
              });
      spinning.await();
      String dump = Files.readString(file);

      assertTrue(ends.get());
      String number = pool.toString().substring("pool ".length());
      assertTrue(dump.contains("\"couv-pool-" + number + "-1\""), dump);
      assertTrue(dump.contains("\"task of " + pool + "\""), dump);
      assertTrue(dump.contains("\"taker of " + pool + "\""), dump);
    }
  }

  @Test
  void aFailureThatNobodyLooksAtIsLoggedWithTheStackOfBothSides() throws Exception {
    IllegalStateException failure = new IllegalStateException("on purpose");
    try (CapturedLog log = new CapturedLog()) {
      Loop.run(
          () -> {
            try (LoopPool pool = LoopPool.open(1)) {
              pool.submit(
                  () -> {
                    throw failure;
                  });
            }
          });

      List<LogRecord> told = log.records();
      assertEquals(1, told.size(), log.messages().toString());
      assertSame(failure, told.getFirst().getThrown());
      assertTrue(
          List.of(failure.getSuppressed()[0].getStackTrace()).stream()
              .anyMatch(frame -> frame.getClassName().startsWith(getClass().getName())));
      String message = told.getFirst().getMessage();
      assertTrue(message.contains("submitted at " + getClass().getName()), message);
    }
  }
}
