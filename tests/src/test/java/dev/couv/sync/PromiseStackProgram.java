// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import java.util.ArrayList;
import java.util.List;

/// Promises that a thread completes at every depth of its stack, from the end up, until one call returns: whether that was the one that did it,
/// and whether who waits goes on.
final class PromiseStackProgram {
  private static final int PROMISES = 50;

  private static List<Boolean> returned = new ArrayList<>();

  private PromiseStackProgram() {}

  @SuppressWarnings("SystemOut")
  public static void main(String... args) throws Exception {
    Loop.run(
        () -> {
          for (int i = 0; i <= PROMISES; i++) {
            Promise<Integer> promise = Promise.outside(() -> {});
            Coroutine<Integer> waiting = Coroutine.spawn(() -> promise.await());
            Coroutine.pause();
            int padding = i;
            // The first is completed by a stack that has room: what is loaded by that is not the
            // matter here.
            Thread diver =
                new Thread(
                    null,
                    padding == 0 ? () -> complete(promise) : () -> pad(padding, promise),
                    "diver",
                    512 << 10);
            diver.start();
            waiting.await();
            diver.join();
          }
        });
    System.out.println(returned.size() + " " + !returned.contains(false));
  }

  private static void pad(int more, Promise<Integer> promise) {
    if (more > 0) {
      pad(more - 1, promise);
    } else {
      try {
        dive(promise);
      } catch (StackOverflowError atTheEnd) {
        // as it should
      }
    }
  }

  private static void dive(Promise<Integer> promise) {
    int before = returned.size();
    StackOverflowError end;
    try {
      dive(promise);
      return;
    } catch (StackOverflowError thrown) {
      end = thrown;
    }
    if (returned.size() == before) {
      complete(promise);
    }
    throw end;
  }

  private static void complete(Promise<Integer> promise) {
    boolean first = promise.complete(1);
    returned.add(first);
  }
}
