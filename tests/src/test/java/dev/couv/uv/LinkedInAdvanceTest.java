// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.FreshJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Nobody links a function in the middle of what he does.
final class LinkedInAdvanceTest {
  @Test
  @Tag("jvm")
  void theFirstWritesOfAProcessAreTheirOwn() throws Exception {
    assertEquals(List.of("for one", "for other"), FreshJvm.run(LinkedInAdvanceProgram.class));
  }
}
