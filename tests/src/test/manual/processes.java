Child child;

void run3() throws Exception {
  child = Command.of("sleep", "100").start();
  block3();
  assertEquals(false, child.isRunning());
}
