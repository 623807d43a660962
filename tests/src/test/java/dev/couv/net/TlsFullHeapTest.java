// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.FreshJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("jvm")
final class TlsFullHeapTest {
  /// A record with a hole in it would look like an attack.
  @Test
  void whatFindsNoMemoryIsNotSkipped() throws Exception {
    List<String> lines = FreshJvm.run(FullHeapTlsProgram.class, "-Xmx24m", "-XX:+UseSerialGC");

    assertTrue(
        List.of("nothing is missing", "nobody reads on").contains(lines.getLast()),
        lines::toString);
  }
}
