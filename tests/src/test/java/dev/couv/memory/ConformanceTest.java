// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.FreshJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The tests of the host's sockets and streams pass in a world in memory, too, but for those that [Conformance] leaves out.
@Tag("jvm")
final class ConformanceTest {
  private static final int AT_LEAST = 300;

  @Test
  void testsOfTheHostPassInMemory() throws Exception {
    List<String> lines = FreshJvm.run(Conformance.class, "-Dcouv.test.world=memory");

    assertEquals(List.of(), lines.stream().filter(line -> line.startsWith("FAILED")).toList());
    int passed = Integer.parseInt(lines.getLast().replace("passed ", ""));
    assertTrue(passed >= AT_LEAST, () -> passed + " passed");
  }

  @Test
  void eachThatIsLeftOutIsThereAndHasAReason() throws Exception {
    for (var entry : Conformance.leftOut().entrySet()) {
      String[] parts = entry.getKey().split("#");
      Class<?> tests = Class.forName("dev.couv." + parts[0]);
      assertTrue(
          List.of(tests.getDeclaredMethods()).stream()
              .anyMatch(method -> method.getName().equals(parts[1])),
          entry::toString);
      assertTrue(entry.getValue().length() > 5, entry::toString);
    }
  }
}
