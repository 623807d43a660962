record Page(String url) {}

List<String> urls = IntStream.range(0, 20).mapToObj(i -> "/" + i).toList();
int most;
int running;

Page fetch(String url) {
  most = Math.max(most, ++running);
  Time.sleep(Duration.ofMillis(1));
  running--;
  return new Page(url);
}

void run2() throws Exception {
  block2();
  assertEquals(8, most);
}
