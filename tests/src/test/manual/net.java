InetSocketAddress address = new InetSocketAddress("127.0.0.1", 0);
TcpListener listener;
ByteStream stream;
int answered;

void answer(TcpStream peer) throws IOException {
  answered++;
  peer.write("hello");
}

void run3() throws Exception {
  var serving = Coroutine.spawn(() -> block3());
  Loop.awaitIdle();
  serving.cancel();
}

void run4() throws Exception {
  try (var opened = Tcp.listen(address)) {
    listener = opened;
    block4();
    try (var client = Tcp.connect(listener.local())) {
      assertEquals("hello", new String(client.readAll(100)));
    }
  }
  assertEquals(1, answered);
}

void run5() throws Exception {
  try (var pair = LocalStream.pair()) {
    stream = pair.first();
    pair.second().write("hello");
    pair.second().shutdown();
    block5();
    assertEquals("hello", new String(pair.second().read().array()));
  }
}

void run6() throws Exception {
  try (var pair = LocalStream.pair()) {
    stream = pair.first();
    pair.second().write("hello\n");
    pair.second().shutdown();
    block6();
    assertEquals("HELLO", pair.second().lines().next());
  }
}

void run7() throws Exception {
  var ask = new Block7();
  int port;
  try (var opened = Tcp.listen(address)) {
    port = opened.local().getPort();
    Coroutine.spawn(() -> opened.serve(peer -> peer.write(peer.lines().next().toUpperCase() + "\n")));
    assertEquals("HELLO", ask.ask("127.0.0.1", port, "hello"));
  }
  assertEquals("nobody listens there", ask.ask("127.0.0.1", port, "hello"));
  try (var opened = Tcp.listen(address)) {
    Coroutine.spawn(() -> opened.serve(peer -> peer.reset()));
    assertEquals("it hung up", ask.ask("127.0.0.1", opened.local().getPort(), "hello"));
  }
}
