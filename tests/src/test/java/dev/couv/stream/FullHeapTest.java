// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.FreshJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Where there is no memory to put bytes back, nobody reads on behind a hole.
@Tag("jvm")
final class FullHeapTest {
  @Test
  void whatABorrowerLeavesIsNotSkipped() throws Exception {
    List<String> lines = FreshJvm.run(FullHeapBorrowProgram.class, "-Xmx24m", "-XX:+UseSerialGC");

    assertEquals("the body's own", lines.getFirst());
    assertTrue(
        List.of("39999 bytes", "nobody reads on").contains(lines.getLast()), lines::toString);
    assertEquals(2, lines.size(), lines::toString);
  }
}
