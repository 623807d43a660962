// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Suspension;
import org.junit.jupiter.api.Test;

/// A coroutine's handle stays armed for as long as the coroutine waits for nothing else.
final class ArmedHandleTest {
  @Test
  void aTurnForTheOthersDoesNotDisarmIt() throws Exception {
    try (CallCount opened = new CallCount("uv_idle_init");
        CallCount closed = new CallCount("uv_idle_stop")) {
      Loop.run(
          () -> {
            // More than are served without a turn for the others.
            for (int i = 0; i < 200; i++) {
              Suspension.await(new IdleOperation("idle"));
              for (int turns = 0; turns < i; turns++) {
                Coroutine.pause();
              }
            }
          });

      assertEquals(1, opened.get());
      assertEquals(0, closed.get());
    }
  }

  @Test
  void anotherAwaitDoesDisarmIt() throws Exception {
    try (CallCount opened = new CallCount("uv_idle_init")) {
      Loop.run(
          () -> {
            for (int i = 0; i < 10; i++) {
              Suspension.await(new IdleOperation("idle"));
              Suspension.await(new RandomOperation("random"));
            }
          });

      assertEquals(10, opened.get());
    }
  }
}
