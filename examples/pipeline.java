// SPDX-License-Identifier: Apache-2.0
// A pipeline: each stage has a pool of its own, channels lie between them and hold back who is too
// fast.
// ./couv run examples/pipeline.java [ITEMS]
import module dev.couv;

void main(String... args) throws Exception {
  int items = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
  var numbers = Chan.<Integer>create(16);
  var factored = Chan.<String>create(16);
  var shouted = Chan.<String>create(16);
  try (var heavy = LoopPool.open(2);
      var light = LoopPool.open(1)) {
    stage(heavy, 4, numbers, factored, n -> n + " = " + factors(n));
    stage(light, 2, factored, shouted, line -> line.contains(" · ") ? line : line + ", a prime");
    Coroutine.spawn(
        () -> {
          for (int i = 0; i < items; i++) numbers.send(1_000_000_000 + i);
          numbers.close(); // the end travels down the pipeline
        });
    int lines = 0;
    int primes = 0;
    for (String line : shouted) {
      if (++lines <= 3) IO.println(line);
      if (line.endsWith("prime")) primes++;
    }
    IO.println(lines + " numbers, " + primes + " primes");
  }
}

/// So many tasks of the pool pass on what comes; the last closes what goes out.
<A, B> void stage(LoopPool pool, int tasks, Chan<A> in, Chan<B> out, Function<A, B> work) {
  var left = new AtomicInteger(tasks);
  for (int i = 0; i < tasks; i++) {
    pool.submit(
        () -> {
          for (A item : in) out.send(work.apply(item));
          if (left.decrementAndGet() == 0) out.close();
        });
  }
}

String factors(int n) {
  var found = new ArrayList<String>();
  for (int d = 2; d * (long) d <= n; d++) {
    for (; n % d == 0; n /= d) found.add("" + d);
  }
  if (n > 1) found.add("" + n);
  return String.join(" · ", found);
}
