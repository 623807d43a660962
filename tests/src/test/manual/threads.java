TcpStream stream;
Loop otherLoop;

void serve(TcpStream peer) throws IOException {
  peer.write("moved");
}

void run2() throws Exception {
  otherLoop = Loop.current(); // it may move to where it is
  try (var listener = Tcp.listen(new InetSocketAddress("127.0.0.1", 0));
      var client = Tcp.connect(listener.local())) {
    stream = listener.accept();
    block2();
    assertEquals("moved", new String(client.readAll(100)));
  }
}
