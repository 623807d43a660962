// SPDX-License-Identifier: Apache-2.0
// Accepts connections and hands each to a child process, which talks to the client without us.
//
//   ./couv run examples/handover.java [PORT]
//   nc 127.0.0.1 PORT
//
// The child is this program again. The socket pair that is its standard input is the way to it.
import module dev.couv;

void main(String[] arguments) throws Exception {
  if (List.of(arguments).contains("child")) {
    serve();
    return;
  }
  int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 0;
  var self = ProcessHandle.current().info();
  var again = new ArrayList<>(List.of(self.command().orElseThrow()));
  again.addAll(List.of(self.arguments().orElseThrow()));
  again.add("child");
  var command = Command.of(again).stdin(Stdio.share());
  try (var listener = Tcp.listen(new InetSocketAddress("127.0.0.1", port));
      var child = command.start();
      var way = (LocalStream) child.stdin()) {
    IO.println("listening at 127.0.0.1:" + listener.local().getPort() + ", handing over");
    listener.serve(
        client -> {
          var name = client.remote().getAddress().getHostAddress();
          way.send(StandardCharsets.UTF_8.encode(name + "\n"), client); // then ours is closed
          IO.println("handed over a client from " + name);
        });
  }
}

/// In the child: greets each client that comes until the parent is gone.
void serve() throws Exception {
  try (var way = LocalStream.adopt(0)) {
    var buffer = ByteBuffer.allocate(1000);
    for (Received received; (received = way.receive(buffer.clear())).bytes() >= 0; ) {
      var client = received.handle();
      if (client == null) continue;
      Coroutine.spawn(
          () -> {
            try (client) {
              var greeting = "process " + ProcessHandle.current().pid() + " at your service\n";
              client.write(greeting);
              ByteStream.copy(client, client);
            } catch (IOException lost) {
              // the client has gone
            }
          });
    }
  }
}
