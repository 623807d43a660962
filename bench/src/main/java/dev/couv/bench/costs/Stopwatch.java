// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.costs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/// Measures and prints, a line for each metric.
final class Stopwatch {
  private static final int GOES = 4;
  private static final long WARM_UP_NANOS = 4_000_000_000L;

  /// Linux's.
  private static final int CLOCK_PROCESS_CPUTIME_ID = 2;

  private static final MethodHandle CLOCK_GETTIME = clockGettime();
  private static final MemorySegment MOMENT = Arena.global().allocate(ValueLayout.JAVA_LONG, 2);

  private Stopwatch() {}

  /// What does so many operations.
  interface Work {
    void run(int operations) throws Exception;
  }

  /// Warms up in several goes, because what is entered before it is compiled stays interpreted; then measures one of so many operations.
  static void measure(int warmUp, int measured, Work work) throws Exception {
    for (int go = 0; go < GOES; go++) {
      work.run(Math.max(1, warmUp / GOES));
    }
    long cpu = cpuNanos();
    long begin = System.nanoTime();
    work.run(measured);
    print("time", (double) (System.nanoTime() - begin) / measured);
    print("cpu", (double) (cpuNanos() - cpu) / measured);
  }

  /// Likewise, but warms up until the process has used [#WARM_UP_NANOS] of processor time, in goes of a quarter of what is measured: where an
  /// operation takes long, a number of them that suits all sizes would leave the compilers at work while it is measured.
  static void measureWarm(int measured, Work work) throws Exception {
    for (long end = cpuNanos() + WARM_UP_NANOS; cpuNanos() < end; ) {
      work.run(Math.max(1, measured / GOES));
    }
    measure(0, measured, work);
  }

  /// Of the whole process, with all that have been its threads. The JDK's own answer is in steps of 10 ms.
  static synchronized long cpuNanos() {
    try {
      int failed = (int) CLOCK_GETTIME.invokeExact(CLOCK_PROCESS_CPUTIME_ID, MOMENT);
      if (failed != 0) {
        throw new AssertionError("the system does not tell the processor time");
      }
    } catch (Throwable thrown) {
      throw new AssertionError(thrown);
    }
    long seconds = MOMENT.getAtIndex(ValueLayout.JAVA_LONG, 0);
    return seconds * 1_000_000_000L + MOMENT.getAtIndex(ValueLayout.JAVA_LONG, 1);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle clockGettime() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("clock_gettime"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
  }

  static void print(String metric, double value) {
    System.out.printf(Locale.ROOT, "%s %.1f%n", metric, value);
  }
}
