// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.sync.Chan;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/// Two loops that run for as long as the JVM of a test, each on a thread of its own. What the actors of a
/// test do, their coroutines do.
public final class Looped {
  public static final Loop FIRST = start("first");
  public static final Loop SECOND = start("second");

  /// For a coroutine that is only to be there.
  public static final Action NOTHING = () -> {};

  private static final int PATIENCE_SECONDS = 60;

  private Looped() {}

  private static Loop start(String name) {
    Loop loop = Loop.open();
    Chan<Object> never = Chan.create(0); // made outside of a loop: somebody may come
    loop.spawn(never::receive);
    Thread.ofPlatform().name(name).daemon().start(() -> loop.run(Mode.LOOP));
    return loop;
  }

  /// What the body returns, in a coroutine of the loop; -1 if it throws, -2 if it does not end.
  public static int run(Loop loop, Body<Integer> body) {
    return ended(loop.submit(body));
  }

  /// Likewise, of what was submitted.
  public static int ended(CompletableFuture<Integer> submitted) {
    try {
      return submitted.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      return -1;
    } catch (Exception tooLong) {
      return -2;
    }
  }
}
