// SPDX-License-Identifier: Apache-2.0
// Forwards a port: ./couv run examples/forward.java HOST PORT [from-port]
import module dev.couv;

void main(String[] args) throws Exception {
  if (args.length < 2) {
    IO.println("usage: forward.java HOST PORT [from-port]");
    return;
  }
  var host = args[0];
  var port = Integer.parseInt(args[1]);
  var from = args.length > 2 ? Integer.parseInt(args[2]) : 0;
  try (var server = Tcp.listen(new InetSocketAddress("127.0.0.1", from))) {
    IO.println("listening at 127.0.0.1:" + server.local().getPort() + ", for " + host + ":" + port);
    server.serve(client -> forward(client, host, port));
  }
}

/// One connection, both ways, until both sides have ended theirs.
void forward(TcpStream client, String host, int port) throws Exception {
  try (var target = Time.timeout(Duration.ofSeconds(10), () -> Tcp.connect(host, port));
      var scope = Scope.open()) {
    var there = scope.spawn(() -> pipe(client, target));
    var back = scope.spawn(() -> pipe(target, client));
    IO.println("there " + there.await() + " bytes, back " + back.await() + " bytes");
  }
}

/// Passes the end of the stream on, too: the other direction may go on.
long pipe(ByteStream from, ByteStream to) throws IOException {
  var count = ByteStream.copy(from, to);
  to.shutdown();
  return count;
}
