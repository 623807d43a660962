// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.ChildJvm;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What awaits allocate once the code is compiled and the loop's memory is in place: no native
/// memory, and of the Java heap at most one small object each. Suspending and resuming a thread
/// allocates nothing: the JDK uses the thread's stack chunk again.
///
/// In a JVM of its own, because what the compiler can remove depends on what ran before; and in another one if that took more: in
/// one of a dozen the compiler chooses to inline something else, and there is no way to make it choose.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class SteadyStateAllocationTest {
  private static final int JVMS = 8;

  private static final Map<String, Taken> LEAST = new HashMap<>();

  /// What one takes of the Java heap, and how often all of them called the C allocator.
  private record Taken(long bytes, long calls) {
    boolean isWithin(int limit) {
      return bytes <= limit && calls == 0;
    }
  }

  @BeforeAll
  static void run() throws Exception {
    for (int i = 0; i < JVMS && !areAllWithin(); i++) {
      ChildJvm.Result result =
          new ChildJvm(SteadyStateProgram.class)
              .option("-XX:TieredStopAtLevel=4") // all of the compiler
              .option("--add-opens=java.base/java.lang=ALL-UNNAMED")
              .run();
      for (String line : result.lines()) {
        String[] fields = line.split(" ", -1);
        if (SteadyStateProgram.LIMITS.containsKey(fields[0])) {
          Taken taken = new Taken(Long.parseLong(fields[1]), Long.parseLong(fields[2]));
          LEAST.merge(fields[0], taken, (a, b) -> a.bytes() <= b.bytes() ? a : b);
        }
      }
    }
  }

  private static boolean areAllWithin() {
    return SteadyStateProgram.LIMITS.entrySet().stream()
        .allMatch(
            limit -> {
              Taken taken = LEAST.get(limit.getKey());
              return taken != null && taken.isWithin(limit.getValue());
            });
  }

  @Test
  void pauseAllocatesNothing() {
    assertAllocates("pause");
  }

  @Test
  void awaitingAFinishedCoroutineAllocatesOneSmallObject() {
    assertAllocates("await");
  }

  @Test
  void sleepAllocatesOneSmallObject() {
    assertAllocates("sleep");
  }

  @Test
  void anEchoOfDirectBuffersAllocatesOneSmallObjectPerWrite() {
    assertAllocates("echo-direct");
  }

  @Test
  void anEchoOfHeapBuffersAllocatesOneSmallObjectPerWrite() {
    assertAllocates("echo-heap");
  }

  @Test
  void aFrameAllocatesNothingBesideItselfButASmallObjectPerFlush() {
    assertAllocates("frame");
  }

  @Test
  void aValueThatFindsAPlaceInAChannelAllocatesNothing() {
    assertAllocates("channel");
  }

  private static void assertAllocates(String name) {
    int limit = SteadyStateProgram.LIMITS.get(name);
    Taken taken = LEAST.get(name);
    assertNotNull(taken, "no result");
    assertTrue(taken.bytes() <= limit, () -> taken.bytes() + " bytes, more than " + limit);
    assertEquals(0, taken.calls(), "calls of the C allocator");
  }
}
