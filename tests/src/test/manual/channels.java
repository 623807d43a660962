Chan<String> orders = Chan.create(1);
String served;

void serve(String order) {
  served = order;
}

void run2() throws Exception {
  orders.send("tea");
  block2();
  assertEquals("tea", served);
}
