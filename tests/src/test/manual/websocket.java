WebSocket socket;

void run2() throws Exception {
  try (var server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0))) {
    server.webSocket("/", peer -> peer.send("hello"));
    Coroutine.spawn(server::serve);
    try (var opened = WebSocket.connect(URI.create("ws://127.0.0.1:" + server.local().getPort() + "/"))) {
      socket = opened;
      block2();
    }
  }
}
