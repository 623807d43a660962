// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.Conformance;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Where libuv waits and reads by itself everything is as where the loop does: the same tests pass, but for those that the list leaves out.
@Tag("jvm")
final class WithoutEpollTest {
  private static final String LIST = "without-epoll";

  @Test
  void testsOfLoopsSocketsAndStreamsPass() throws Exception {
    Conformance.assertPasses(LIST, 500, "-Dcouv.poll=libuv");
  }

  @Test
  void eachThatIsLeftOutIsThereAndHasAReason() throws Exception {
    Conformance.assertReasons(LIST);
  }
}
