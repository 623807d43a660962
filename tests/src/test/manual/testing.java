InetSocketAddress address = new InetSocketAddress("127.0.0.1", 0);
LocalStream here;
ByteBuffer buffer = ByteBuffer.allocate(10);

void run1() throws Exception {
  new Block1().echoes();
}

void run5() throws Exception {
  try (var pair = LocalStream.pair()) {
    here = pair.first();
    block5();
    pair.second().write("x");
    Loop.awaitIdle();
  }
}
