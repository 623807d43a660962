// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class RefusedOffloadTest {
  /// What was not started is not waited for: the loop sees that nobody can go on.
  @Test
  void anOffloadWithoutAThreadIsNotWaitedFor() throws Exception {
    assertEquals(List.of("refused", "deadlock"), FreshJvm.run(WithoutThreads.class));
  }

  /// In a JVM of its own: it takes the threads away for good.
  static final class WithoutThreads {
    public static void main(String[] args) throws Exception {
      Field threads = Class.forName("dev.couv.strand.Offload").getDeclaredField("THREADS");
      threads.setAccessible(true);
      ((ExecutorService) threads.get(null)).shutdown();
      Thread.ofPlatform().daemon().start(WithoutThreads::endIfItHangs);
      try {
        Loop.run(
            () -> {
              try {
                Loop.offload(() -> 1);
              } catch (RejectedExecutionException expected) {
                System.out.println("refused");
              }
              Coroutine.halt();
            });
      } catch (Deadlock expected) {
        System.out.println("deadlock");
      }
    }

    private static void endIfItHangs() {
      try {
        Thread.sleep(60_000);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      System.out.println("hangs");
      System.exit(1);
    }
  }
}
