// SPDX-License-Identifier: Apache-2.0
// A rate limiter: bursts of three, then ten a second: ./couv run examples/limiter.java
import module dev.couv;

static final int BURST = 3;
static final Duration PAUSE = Duration.ofMillis(100);

void main() throws Exception {
  var limiter = new Permits(BURST);
  try (var scope = Scope.open()) {
    var refill = scope.spawn(() -> refill(limiter));
    var start = System.nanoTime();

    var calls = new ArrayList<Coroutine<?>>();
    for (int i = 1; i <= 8; i++) {
      var name = "call " + i;
      calls.add(scope.spawn(() -> call(limiter, name, start)));
    }
    Await.all(calls);
    refill.cancel();
  }
}

/// One permit comes back every so often, up to a burst.
void refill(Permits limiter) throws Exception {
  try (var ticker = Ticker.every(PAUSE)) {
    while (true) {
      ticker.next();
      if (limiter.available() < BURST) limiter.release();
    }
  }
}

/// A permit is used up, not given back. Those who wait get theirs in the order they came.
void call(Permits limiter, String name, long start) {
  limiter.acquire();
  var millis = (System.nanoTime() - start) / 1_000_000;
  IO.println("%s goes out after %d hundred milliseconds".formatted(name, millis / 100));
}
