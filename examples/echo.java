// SPDX-License-Identifier: Apache-2.0
// An echo server: ./couv run examples/echo.java [port], then talk to it with "nc 127.0.0.1 port".
import module dev.couv;

void main(String[] args) throws Exception {
  var port = args.length > 0 ? Integer.parseInt(args[0]) : 0;
  try (var server = Tcp.listen(new InetSocketAddress("127.0.0.1", port))) {
    IO.println("listening at 127.0.0.1:" + server.local().getPort() + ", Ctrl-C ends it");
    // A connection that fails is logged, and is its own affair: the server goes on.
    server.serve(peer -> IO.println("echoed " + ByteStream.copy(peer, peer) + " bytes"));
  } finally {
    IO.println("closed");
  }
}
