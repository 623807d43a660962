// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.FreshJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("jvm")
final class FullChanTest {
  @Test
  void aChannelThatFindsNoMemoryLosesNothing() throws Exception {
    assertEquals(
        List.of("refused", "the first is first", "as many as were sent", "it goes on"),
        FreshJvm.run(FullChanProgram.class, "-Xmx32m"));
  }
}
