// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.sync.ResourcePlan.Disposal;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A second attempt where the first takes too long: the first success wins, and the others are cancelled and waited for. A
/// value, that any number of coroutines of any loop can use.
///
/// ```java
/// var answer = Hedge.of(Duration.ofMillis(50)).run(() -> ask(server));
/// ```
///
/// It is made for what may be done twice. Against slowness, not against failure: when every attempt that has begun has failed,
/// the first failure is thrown, with the others suppressed in it, and no other attempt is waited for; a [Retry] around it tries
/// again. An `Error` ends all of it at once. A failure beside a result is logged, at level `DEBUG`.
///
/// Each attempt is a coroutine of its own. Cancelling the caller cancels all of them; it goes on when they have ended.
public final class Hedge {
  private final Duration delay;
  private final int attempts;

  private Hedge(Duration delay, int attempts) {
    this.delay = delay;
    this.attempts = attempts;
  }

  /// A second attempt after that long.
  ///
  /// @throws IllegalArgumentException if it is negative or longer than 292 years
  public static Hedge of(Duration delay) {
    Durations.nanos(delay, "delay");
    return new Hedge(delay, 2);
  }

  /// At most so many attempts, the first included, each the delay after the one before.
  ///
  /// @throws IllegalArgumentException if there are less than one
  public Hedge withAttempts(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("attempts: " + count);
    }
    return new Hedge(delay, count);
  }

  /// Runs the body, and once more if that takes too long: the first result. Results that come beside it are dropped, so they
  /// must not need closing.
  public <T extends @Nullable Object> T run(Body<T> body) throws Exception {
    return run(body, result -> {});
  }

  /// Runs the body, and once more if that takes too long: the first result. Others that come beside it, or when the caller is
  /// cancelled, are given to `unused`, which may wait: `hedge.run(() -> Tcp.connect(host, 80), TcpStream::close)`.
  public <T extends @Nullable Object> T run(Body<T> body, Disposal<? super T> unused)
      throws Exception {
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(unused, "unused");
    Home.checkCoroutine("Hedge.run");
    return new Contest<T>(delay, attempts, body, unused).run();
  }

  /// Runs a body that has no result, as [#run(Body)] does: it is over when the first has ended.
  public void run(Action body) throws Exception {
    run(Body.of(body));
  }

  @Override
  public String toString() {
    return "a hedge of " + attempts + " attempts, " + delay + " apart";
  }
}
