// SPDX-License-Identifier: Apache-2.0
// Twelve requests, never more than three at a time: ./couv run examples/fanout.java
import module dev.couv;

static final int LIMIT = 3;

int serving;
int busiest;

void main() throws Exception {
  try (var scope = Scope.open();
      var listener = Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
    var server = scope.spawn(() -> listener.serve(this::answer));

    try (var requests = TaskGroup.<String>open().limit(LIMIT)) {
      for (int i = 1; i <= 12; i++) {
        var name = "page " + i;
        requests.spawn(() -> fetch(listener.local(), name));
      }
      IO.println("first to come: " + requests.iterator().next().get());
      IO.println("all in order:  " + String.join(", ", requests.all()));
    }
    IO.println("the server never had more than " + busiest + " at a time");

    try (var hopeless = TaskGroup.<String>open().limit(LIMIT)) {
      hopeless.spawn(() -> fetch(listener.local(), "page 13"));
      hopeless.spawn(() -> fetch(listener.local(), "secret"));
      hopeless.all();
    } catch (IOException refused) {
      IO.println("one failed, the others were cancelled: " + refused.getMessage());
    }
    server.cancel();
  }
}

/// One request, one connection.
String fetch(InetSocketAddress address, String name) throws Exception {
  try (var connection = Tcp.connect(address)) {
    connection.write(name);
    connection.shutdown();
    var answer = new String(connection.readAll(256));
    if (answer.startsWith("no ")) throw new IOException(answer);
    return answer;
  }
}

void answer(TcpStream connection) throws Exception {
  busiest = Math.max(busiest, ++serving);
  try {
    var name = new String(connection.readAll(256));
    Time.sleep(Duration.ofMillis(20));
    connection.write(name.startsWith("page") ? name : "no " + name + " for you");
  } catch (IOException gone) {
    // Whoever asked does not wait any more.
  } finally {
    serving--;
  }
}
