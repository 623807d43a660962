// SPDX-License-Identifier: Apache-2.0
// The first answer of three mirrors: ./couv run examples/mirrors.java
import module dev.couv;

void main() throws Exception {
  try (var slow = mirror("slow", Duration.ofSeconds(30));
      var quick = mirror("quick", Duration.ofMillis(20));
      var broken = mirror("broken", null)) {
    var mirrors = List.of(slow, broken, quick);

    // Each is asked by a coroutine of its own. A failure is passed over; when one has answered, the
    // others are cancelled, and their connections closed, before this scope is left.
    try (var scope = Scope.open(ScopePolicy.SUPERVISE)) {
      var answers = mirrors.stream().map(m -> scope.spawn(() -> ask(m.local()))).toList();
      IO.println("the first answer: " + Await.firstSuccess(answers));
      scope.cancel();
    }

    // The same in a line, if a failure may win too.
    IO.println("a race: " + Await.race(() -> ask(slow.local()), () -> ask(quick.local())));

    // One after the other, each with its time: the next is asked only when one has failed.
    Iterable<Coroutine<String>> asking =
        () -> mirrors.stream().map(m -> spawnAsk(m.local())).iterator();
    IO.println("one after the other: " + Await.firstSuccess(asking, 1));
  }
}

Coroutine<String> spawnAsk(InetSocketAddress mirror) {
  return Coroutine.spawn(() -> Time.timeout(Duration.ofSeconds(1), () -> ask(mirror)));
}

/// Connects, and returns all it is sent.
String ask(InetSocketAddress mirror) throws Exception {
  try (var stream = Tcp.connect(mirror)) {
    var answer = new String(stream.readAll(1000));
    if (answer.isEmpty()) throw new IOException("no answer from " + mirror);
    return answer;
  }
}

/// Answers everybody after that time; without one it hangs up.
TcpListener mirror(String name, Duration delay) throws Exception {
  var listener = Tcp.listen(new InetSocketAddress("127.0.0.1", 0));
  Coroutine.spawn(() -> listener.serve(peer -> answer(peer, name, delay)));
  return listener;
}

void answer(TcpStream peer, String name, Duration delay) throws Exception {
  if (delay == null) return;
  // Whoever asked may be gone by then: its end comes first.
  var gone = Coroutine.spawn(() -> peer.read());
  if (Await.any(gone, Time.after(delay)) != null) {
    peer.write("from " + name);
  }
  gone.cancel();
}
