// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// Waits for one event, and for the first of two, again and again, and prints a line for each: its name,
/// and how many bytes of the Java heap one takes once the code is compiled.
final class WakerProgram {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long LOOP_THREAD = Thread.currentThread().threadId();
  private static final int WINDOWS = 40;
  private static final int STEPS = 2_000;

  /// On a busy machine the compiler may need long to see to all of it.
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private WakerProgram() {}

  private interface Step {
    void run() throws Exception;
  }

  private static final class Bell extends Emitter<Integer> {}

  static void main() throws Exception {
    Loop.run(
        () -> {
          Bell[] bells = {new Bell(), new Bell()};
          measure("one", bells, () -> bells[0].await());
          measure("two", bells, () -> Await.any(bells[1], bells[0]));
          Bell settled = new Bell();
          settled.fireAndClose(1, null);
          measure("settled", bells, () -> Await.any(bells[1], settled));
        });
  }

  /// The caller fires, another coroutine waits: both are carried by the loop's thread.
  private static void measure(String name, Bell[] bells, Step step) throws Exception {
    boolean[] over = new boolean[1];
    Coroutine<?> waiting =
        Coroutine.spawn(
            () -> {
              while (!over[0]) {
                step.run();
              }
            });
    Coroutine.pause();
    double fewest = Double.MAX_VALUE;
    Integer value = 1;
    long patience = System.nanoTime() + PATIENCE_NANOS;
    for (int window = 0;
        window < WINDOWS || (fewest >= 0.5 && System.nanoTime() - patience < 0);
        window++) {
      long before = THREADS.getThreadAllocatedBytes(LOOP_THREAD);
      for (int i = 0; i < STEPS; i++) {
        bells[0].fire(value, null);
        Coroutine.pause();
      }
      long after = THREADS.getThreadAllocatedBytes(LOOP_THREAD);
      fewest = Math.min(fewest, (double) (after - before) / STEPS);
    }
    over[0] = true;
    bells[0].fire(value, null);
    waiting.await();
    System.out.println(name + " " + Math.round(fewest));
  }
}
