// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What awaits allocate once the code is compiled and the loop's memory is in place: no native
/// memory, and of the Java heap at most one small object each. Suspending and resuming a thread
/// allocates nothing: the JDK uses the thread's stack chunk again.
///
/// In a JVM of its own, because what the compiler can remove depends on what ran before.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class SteadyStateAllocationTest {
  private static ChildJvm.Result result;

  @BeforeAll
  static void run() throws Exception {
    result =
        new ChildJvm(SteadyStateProgram.class)
            .option("-XX:TieredStopAtLevel=4") // all of the compiler
            .option("--add-opens=java.base/java.lang=ALL-UNNAMED")
            .run();
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
    List<String> fields =
        result.lines().stream()
            .filter(line -> line.startsWith(name + " "))
            .map(line -> List.of(line.split(" ", -1)))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no result: " + result.output()));
    long bytes = Long.parseLong(fields.get(1));
    assertTrue(bytes <= limit, () -> bytes + " bytes, more than " + limit);
    assertEquals("0", fields.get(2), "calls of the C allocator");
  }
}
