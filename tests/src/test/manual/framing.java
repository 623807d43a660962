ByteStream stream;

void run2() throws Exception {
  try (var pair = LocalStream.pair()) {
    stream = pair.first();
    pair.second().write("hello\r\n");
    block2();
  }
}
