// SPDX-License-Identifier: Apache-2.0
// An echo server on all cores: one port, a loop on each core, a coroutine for each connection.
// ./couv run examples/cores.java [PORT]      then: nc localhost PORT
import module dev.couv;

void main(String... args) throws Exception {
  int port = args.length > 0 ? Integer.parseInt(args[0]) : 0;
  var address = new InetSocketAddress("127.0.0.1", port);
  var served = Chan.<String>create(16);
  try (var pool = LoopPool.open(Runtime.getRuntime().availableProcessors());
      var server = pool.serve(address, connection -> served.send(echo(connection)))) {
    IO.println("listening at 127.0.0.1:" + server.local().getPort() + ", ^C ends it");
    Coroutine.spawn(() -> served.forEach(IO::println));
    Signal.await(Signal.INT);
    served.close();
  }
  IO.println("closed");
}

String echo(TcpStream connection) throws Exception {
  long bytes = ByteStream.copy(connection, connection);
  return "echoed " + bytes + " bytes on " + LoopPool.current();
}
