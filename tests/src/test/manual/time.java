TcpStream stream;

void talk(TcpStream peer) throws IOException {
  peer.write("good bye");
}

void run2() throws Exception {
  try (var listener = Tcp.listen(new InetSocketAddress("127.0.0.1", 0));
      var client = Tcp.connect(listener.local());
      var accepted = listener.accept()) {
    stream = accepted;
    block2();
    assertEquals("good bye", new String(client.readAll(100)));
  }
}
