// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.sync.Promise;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/// A coroutine awaits a promise and is cancelled while another thread completes it: it has the value, or
/// it is cancelled.
@JCStressTest
@Outcome(id = "true, 7", expect = Expect.ACCEPTABLE, desc = "told")
@Outcome(id = "true, -1", expect = Expect.ACCEPTABLE, desc = "cancelled before")
@State
public class PromiseAwaiterCancelled {
  private final Promise<Integer> promise = Promise.outside(() -> {});

  @Actor
  public void completer(ZI_Result result) {
    result.r1 = promise.complete(7);
  }

  @Actor
  public void waiter(ZI_Result result) {
    result.r2 =
        Looped.run(
            Looped.FIRST,
            () -> {
              Coroutine<Integer> waiting = Coroutine.spawn(this::await);
              Coroutine.pause();
              waiting.cancel();
              return waiting.await();
            });
  }

  private int await() throws Exception {
    try {
      return promise.await();
    } catch (Cancelled cancelled) {
      return -1;
    }
  }
}
