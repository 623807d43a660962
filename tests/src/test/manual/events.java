interface OtherLibrary {
  void onAlarm(Consumer<String> listener);
}

OtherLibrary otherLibrary =
    listener -> Thread.ofPlatform().start(() -> listener.accept("fire"));

void run2() throws Exception {
  block2();
}
