// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.uv.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A coroutine's waker is used again: in steady state a wait for one or two events allocates nothing,
/// neither where it is told nor where it waits.
///
/// In a JVM of its own, because what the compiler can remove depends on what ran before.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class WakerAllocationTest {
  private static ChildJvm.Result result;

  @BeforeAll
  static void run() throws Exception {
    result =
        new ChildJvm(WakerProgram.class)
            .option("-XX:TieredStopAtLevel=4") // all of the compiler
            .option("--add-opens=java.base/java.lang=ALL-UNNAMED")
            .run();
  }

  @Test
  void oneEventAllocatesNothing() {
    assertAllocatesNothing("one");
  }

  @Test
  void theFirstOfTwoAllocatesNothing() {
    assertAllocatesNothing("two");
  }

  @Test
  void oneThatIsSettledAllocatesNothing() {
    assertAllocatesNothing("settled");
  }

  private static void assertAllocatesNothing(String name) {
    List<String> lines =
        result.lines().stream().filter(line -> line.startsWith(name + " ")).toList();
    assertEquals(List.of(name + " 0"), lines, result::output);
  }
}
