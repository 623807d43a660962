// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.FreshJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A promise is completed, and told, or neither.
final class PromiseStackTest {
  @Test
  @Tag("jvm")
  void whatIsCompletedAtTheEndOfAStackIsTold() throws Exception {
    assertEquals(List.of("51 true"), FreshJvm.run(PromiseStackProgram.class));
  }
}
