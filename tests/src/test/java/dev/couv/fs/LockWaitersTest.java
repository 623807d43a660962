// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.sync.Mutex;
import dev.couv.testing.Behaviour;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// More wait for a lock than libuv has threads, and whoever has it needs one of those to go on.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class LockWaitersTest {
  private static final int WAITERS = 40;

  @TempDir Path dir;

  private int inside;
  private int done;

  /// A lock of the JDK, or of the system: waiting for it blocks a thread, which must be none of
  /// libuv's.
  @Test
  @Behaviour("TA117")
  void allWhoBlockForALockFinishAndItIsNeverShared() throws Exception {
    Semaphore lock = new Semaphore(1);
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            for (int i = 0; i < WAITERS; i++) {
              scope.spawn(
                  () -> {
                    Loop.offload(
                        () -> {
                          lock.acquire();
                          return null;
                        });
                    hold();
                    lock.release();
                  });
            }
          }
        });

    assertEquals(WAITERS, done);
  }

  @Test
  @Behaviour("TA117")
  void likewiseForAMutexWhichHoldsNoThread() throws Exception {
    Mutex mutex = new Mutex();
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            for (int i = 0; i < WAITERS; i++) {
              scope.spawn(
                  () -> {
                    try (var _ = mutex.hold()) {
                      hold();
                    }
                  });
            }
          }
        });

    assertEquals(WAITERS, done);
  }

  /// Across a pause and a request that a thread of libuv makes.
  private void hold() throws Exception {
    assertEquals(1, ++inside);
    Coroutine.pause();
    Fs.info(dir);
    inside--;
    done++;
  }
}
