// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Two threads post to a loop that falls asleep in between: rings that come together are one, and none
/// is lost.
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "both ran")
@State
public class PostsWakeLoop {
  @Actor
  public void first(II_Result result) {
    result.r1 = posted(1);
  }

  @Actor
  public void second(II_Result result) {
    result.r2 = posted(2);
  }

  private static int posted(int value) {
    CompletableFuture<Integer> ran = new CompletableFuture<>();
    Looped.FIRST.post(() -> ran.complete(value));
    return Looped.ended(ran);
  }
}
