// SPDX-License-Identifier: Apache-2.0
// An echo server: ./couv run examples/echo.java [port], then talk to it with "nc 127.0.0.1 port".
import module dev.couv;

void main(String[] args) throws Exception {
  var port = args.length > 0 ? Integer.parseInt(args[0]) : 0;
  try (var server = Tcp.listen(new InetSocketAddress("127.0.0.1", port))) {
    IO.println("listening at 127.0.0.1:" + server.local().getPort() + ", Ctrl-C ends it");
    while (true) {
      var peer = server.accept();
      Coroutine.spawn(() -> serve(peer));
    }
  } finally {
    IO.println("closed");
  }
}

/// One connection. Its failure is its own: the server goes on.
void serve(TcpStream peer) {
  try (peer) {
    IO.println("echoed " + ByteStream.copy(peer, peer) + " bytes");
  } catch (Exception e) {
    IO.println("lost a connection: " + e.getMessage());
  }
}
