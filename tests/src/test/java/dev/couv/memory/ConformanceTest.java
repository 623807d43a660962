// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.Conformance;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The tests of the host's sockets and streams pass in a world in memory, too, but for those that the list leaves out.
@Tag("jvm")
final class ConformanceTest {
  private static final String LIST = "memory-world";

  @Test
  void testsOfTheHostPassInMemory() throws Exception {
    Conformance.assertPasses(LIST, 300, "-Dcouv.test.world=memory");
  }

  @Test
  void eachThatIsLeftOutIsThereAndHasAReason() throws Exception {
    Conformance.assertReasons(LIST);
  }
}
