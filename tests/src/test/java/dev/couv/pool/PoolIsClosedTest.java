// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/// Whatever can be closed tells whether it was.
class PoolIsClosedTest {
  @Test
  void aPoolAndWhatItServes() throws Exception {
    LoopPool pool = LoopPool.open(1);
    InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (PoolServer server = pool.serve(anywhere, connection -> {})) {
      assertFalse(pool.isClosed());
      assertFalse(server.isClosed());
      pool.close();
      assertTrue(pool.isClosed());
      assertTrue(server.isClosed());
    }
  }

  @Test
  void aPoolThatWasCancelled() {
    LoopPool pool = LoopPool.open(1);
    pool.cancel();
    assertTrue(pool.isClosed());
    pool.close();
  }

  @InLoop
  @Test
  void aWorkerAlsoWhenItsBodyHasEnded() throws Exception {
    Worker<Integer, Integer> ends = Worker.create(input -> input);
    Worker<Integer, Integer> waits = Worker.create(input -> input);
    assertFalse(ends.isClosed());
    assertFalse(waits.isClosed());
    ends.resume(1);
    waits.close();
    assertTrue(ends.isClosed());
    assertTrue(waits.isClosed());
  }
}
