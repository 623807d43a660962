// SPDX-License-Identifier: Apache-2.0
// A tour of Couv in three stops: ./couv run examples/tour.java
import module dev.couv;

void main() throws Exception {
  timers();
  coroutines();
  sockets();
  IO.println("That was the tour. One thread did all of it.");
}

/// A call that waits suspends its coroutine only.
void timers() throws Exception {
  IO.println("1. Timers");
  var start = System.nanoTime();
  Time.sleep(Duration.ofMillis(100));
  IO.println("   slept for %d ms".formatted((System.nanoTime() - start) / 1_000_000));

  try {
    Time.timeout(Duration.ofMillis(50), () -> Time.sleep(Duration.ofHours(1)));
  } catch (TimeoutException e) {
    IO.println("   did not wait an hour: " + e.getMessage());
  }
}

/// Two coroutines take turns; neither needs a lock.
void coroutines() throws Exception {
  IO.println("2. Coroutines");
  var tick = Coroutine.spawn(() -> count("tick", 3, Duration.ofMillis(60)));
  var tock = Coroutine.spawn(() -> count("   tock", 2, Duration.ofMillis(100)));
  IO.println("   both are done: " + (tick.await() + tock.await()) + " lines");
}

int count(String word, int times, Duration pause) throws Exception {
  for (int i = 1; i <= times; i++) {
    Time.sleep(pause);
    IO.println("   " + word + " " + i);
  }
  return times;
}

/// A server and its client, in the same loop.
void sockets() throws Exception {
  IO.println("3. Sockets");
  try (var server = Tcp.listen(new InetSocketAddress("127.0.0.1", 0))) {
    Coroutine.spawn(() -> server.serve(peer -> ByteStream.copy(peer, peer)));
    try (var client = Tcp.connect(server.local())) {
      for (var word : List.of("libuv", "says", "hello")) {
        client.write(word);
        var reply = ByteBuffer.allocate(word.length());
        client.readFully(reply);
        IO.println("   echoed: " + new String(reply.array()));
      }
    }
  }
}
