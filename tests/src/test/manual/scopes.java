InetSocketAddress address = new InetSocketAddress("127.0.0.1", 0);
List<String> urls = List.of("a", "b");

OpenFile openLog() throws IOException {
  return Fs.open(Path.of("/dev/null"), StandardOpenOption.WRITE);
}

ByteBuffer bytes(String text) {
  return ByteBuffer.wrap(text.getBytes(UTF_8));
}

String fetch(String url) {
  return url.toUpperCase();
}

void serve() {}

void run2() throws Exception {
  block2();
}

void run3() throws Exception {
  assertEquals(List.of("A", "B"), block3());
}
