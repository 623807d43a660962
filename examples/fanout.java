// SPDX-License-Identifier: Apache-2.0
// Twelve requests, never more than three at a time: ./couv run examples/fanout.java
import static java.nio.charset.StandardCharsets.UTF_8;

import module dev.couv;

static final int LIMIT = 3;

int serving;
int busiest;

void main() throws Exception {
  try (var scope = Scope.open();
      var listener = Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
    var server = scope.spawn(() -> serve(listener));

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
    connection.write(UTF_8.encode(name));
    connection.shutdown();
    var answer = UTF_8.decode(readAll(connection)).toString();
    if (answer.startsWith("no ")) throw new IOException(answer);
    return answer;
  }
}

void serve(TcpListener listener) throws Exception {
  try (var connections = Scope.open(ScopePolicy.SUPERVISE)) {
    while (true) {
      var connection = listener.accept();
      connections.spawn(() -> answer(connection));
    }
  }
}

void answer(TcpStream connection) throws Exception {
  busiest = Math.max(busiest, ++serving);
  try (connection) {
    var name = UTF_8.decode(readAll(connection)).toString();
    Time.sleep(Duration.ofMillis(20));
    connection.write(UTF_8.encode(name.startsWith("page") ? name : "no " + name + " for you"));
  } catch (IOException gone) {
    // Whoever asked does not wait any more.
  } finally {
    serving--;
  }
}

ByteBuffer readAll(ByteStream from) throws Exception {
  var buffer = ByteBuffer.allocate(256);
  while (from.read(buffer) >= 0) {}
  return buffer.flip();
}
