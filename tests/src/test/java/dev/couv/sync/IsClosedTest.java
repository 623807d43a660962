// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import org.junit.jupiter.api.Test;

/// Whatever can be closed tells whether it was.
class IsClosedTest {
  @InLoop
  @Test
  void aHold() throws Exception {
    Hold hold = new Mutex().hold();
    assertFalse(hold.isClosed());
    hold.close();
    assertTrue(hold.isClosed());
  }

  @InLoop
  @Test
  void aLeaseAndItsPool() throws Exception {
    Resources<String> resources = Resources.of(() -> "thing").open();
    Lease<String> lease = resources.acquire();
    assertFalse(lease.isClosed());
    lease.close();
    assertTrue(lease.isClosed());
    assertFalse(resources.isClosed());
    resources.close();
    assertTrue(resources.isClosed());
  }

  @InLoop
  @Test
  void aGateMayOpenAgain() throws Exception {
    Gate gate = new Gate();
    assertTrue(gate.isClosed());
    gate.open();
    assertFalse(gate.isClosed());
  }

  @Test
  void aHolderOfANamedChannelAndNotTheOthers() {
    Chan<Integer> one = Chan.named("IsClosedTest");
    try (Chan<Integer> other = Chan.named("IsClosedTest")) {
      one.close();
      assertTrue(one.isClosed());
      assertFalse(other.isClosed());
    }
  }
}
