List<String> fetched = new ArrayList<>();

String fetch(String what) {
  fetched.add(what);
  return what;
}

void run2() throws Exception {
  block2();
}

void run3() throws Exception {
  block3();
  assertEquals(List.of("a", "b"), fetched);
}
