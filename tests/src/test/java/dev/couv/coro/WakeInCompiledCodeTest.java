// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Many coroutines that began to wait before any of them had ended go on in compiled code. Where the compiler has never seen what comes behind
/// a wait, each of them leaves it there, for ten times what waking one takes otherwise.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class WakeInCompiledCodeTest {
  @Test
  void nobodyLeavesItBehindTheWaitNorAtTheEnd() throws Exception {
    List<String> lines =
        FreshJvm.run(
            SleepersProgram.class,
            "-XX:TieredStopAtLevel=4",
            "-Xlog:deoptimization=debug:stdout:none");

    assertEquals("woken " + SleepersProgram.MANY, lines.getLast());
    long left = lines.stream().filter(WakeInCompiledCodeTest::isOurs).count();
    assertTrue(left < SleepersProgram.MANY / 10, left + " left compiled code");
  }

  /// What stands on the stack of everybody who waits.
  private static boolean isOurs(String line) {
    return line.contains("dev.couv.strand.") || line.contains("java.lang.VirtualThread.run(");
  }
}
